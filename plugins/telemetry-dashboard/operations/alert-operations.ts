// The routes of alerts: rules, their history, and what a rule would have done.
import { Type } from '@keelson/sdk'
import {
  alertChangesSchema,
  alertPreviewSchema,
  alertRulesSchema,
  ruleSchema as givenRuleSchema,
  savedRuleSchema
} from '@keelson/telemetry'
import { given } from './given.ts'
import { capped, limitParameter, optionalText, query, rangeParameters } from './parameters.ts'
import { readRange } from './range.ts'
import { defineRoute, get, ok, whenAccepted } from './route.ts'

/** Changes of one answer. */
const MAX_CHANGES = 100

const list = get({
  path: '/api/alerts',
  summary: 'The rules of alerts, with their states',
  response: alertRulesSchema,
  answer: async ({ viewer }, { telemetry }) => ok(await telemetry.alerts.list(viewer))
})

const firing = get({
  path: '/api/alerts/firing',
  summary: 'How many enabled rules fire: the number beside Alerts in the navigation',
  response: Type.Object({ count: Type.Integer() }),
  answer: async ({ viewer }, { telemetry }) => {
    const { rules } = await telemetry.alerts.list(viewer)
    return ok({ count: rules.filter(({ enabled, state }) => enabled && state === 'firing').length })
  }
})

const create = defineRoute({
  method: 'POST',
  path: '/api/alerts',
  band: 'admin',
  summary: 'Make a rule; the secret of its webhook is shown this once',
  body: givenRuleSchema,
  status: 201,
  response: savedRuleSchema,
  answer: async ({ viewer, body }, { telemetry }) => ({
    status: 201,
    body: await telemetry.alerts.save(viewer, body)
  })
})

const history = get({
  path: '/api/alerts/history',
  summary: 'Changes of state, newest first',
  query: query({ ruleId: optionalText('Only of this rule.'), ...limitParameter }),
  response: alertChangesSchema,
  answer: async ({ viewer, query: { ruleId, limit } }, { telemetry }) =>
    ok(
      await telemetry.alerts.history(viewer, {
        limit: capped(limit, MAX_CHANGES),
        ...given({ ruleId })
      })
    )
})

const preview = defineRoute({
  method: 'POST',
  path: '/api/alerts/preview',
  summary: 'What a rule would have done in the past',
  query: query(rangeParameters),
  body: givenRuleSchema,
  response: alertPreviewSchema,
  answer: ({ viewer, query, body }, { telemetry }) =>
    whenAccepted(readRange(query, telemetry.clock.now()), (range) =>
      telemetry.alerts.preview(viewer, body, range)
    )
})

const replace = defineRoute({
  method: 'PUT',
  path: '/api/alerts/:id',
  band: 'admin',
  summary: 'Replace a rule',
  body: givenRuleSchema,
  response: savedRuleSchema,
  answer: async ({ viewer, subject, body }, { telemetry }) =>
    ok(await telemetry.alerts.save(viewer, body, subject))
})

const remove = defineRoute({
  method: 'DELETE',
  path: '/api/alerts/:id',
  band: 'admin',
  summary: 'Delete a rule with its history',
  response: Type.Object({ removed: Type.Integer() }),
  answer: async ({ viewer, subject }, { telemetry }) =>
    ok(await telemetry.alerts.remove(viewer, subject))
})

export const alertRoutes = [list, firing, create, history, preview, replace, remove]
