// The routes of alerts: rules, their history, and what a rule would have done.
import { given } from './given.ts'
import { readLimit, readOne } from './parameters.ts'
import { allOf } from './parsed.ts'
import { readRange } from './range.ts'
import { type ApiRoute, ok, whenAccepted } from './route.ts'

/** Changes of one answer. */
const MAX_CHANGES = 100

export const alertRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/api/alerts',
    summary: 'The rules of alerts, with their states',
    async answer({ viewer }, { telemetry }) {
      return ok(await telemetry.alerts.list(viewer))
    }
  },
  {
    method: 'POST',
    path: '/api/alerts',
    summary: 'Make a rule; the secret of its webhook is shown this once',
    async answer({ viewer, body }, { telemetry }) {
      return { status: 201, body: await telemetry.alerts.save(viewer, body) }
    }
  },
  {
    method: 'GET',
    path: '/api/alerts/history',
    summary: 'Changes of state, newest first',
    answer({ viewer, params }, { telemetry }) {
      const asked = allOf({
        ruleId: readOne(params, 'ruleId'),
        limit: readLimit(params, MAX_CHANGES)
      })
      return whenAccepted(asked, ({ limit, ...rest }) =>
        telemetry.alerts.history(viewer, { limit, ...given(rest) })
      )
    }
  },
  {
    method: 'POST',
    path: '/api/alerts/preview',
    summary: 'What a rule would have done in the past',
    answer({ viewer, params, body }, { telemetry }) {
      return whenAccepted(readRange(params, telemetry.clock.now()), (range) =>
        telemetry.alerts.preview(viewer, body, range)
      )
    }
  },
  {
    method: 'PUT',
    path: '/api/alerts/:id',
    summary: 'Replace a rule',
    async answer({ viewer, subject, body }, { telemetry }) {
      return ok(await telemetry.alerts.save(viewer, body, subject))
    }
  },
  {
    method: 'DELETE',
    path: '/api/alerts/:id',
    summary: 'Delete a rule with its history',
    async answer({ viewer, subject }, { telemetry }) {
      return ok(await telemetry.alerts.remove(viewer, subject))
    }
  }
]
