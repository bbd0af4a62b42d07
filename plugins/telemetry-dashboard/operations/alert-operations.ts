// Alerts: rules, their history, and what a rule would have done.
import { type Actor, type Call, isRefused, type Operation, operation, Type } from '@keelson/sdk'
import {
  alertChangesSchema,
  alertPreviewSchema,
  alertRulesSchema,
  ruleSchema as givenRuleSchema,
  savedRuleSchema
} from '@keelson/telemetry'
import { dashboardRefusals as refusals } from '../refusals.ts'
import { access, changing, type DashboardHost, reading, viewerOf } from './dashboard-operation.ts'
import { capped, given, limitParameter, optionalText, rangeParameters } from './parameters.ts'
import { readRange } from './time-range.ts'

/** Changes of one answer. */
const MAX_CHANGES = 100

const ruleParams = Type.Object({ id: Type.String() })

/** Who is looking, and who acts: what a rule sends later is theirs. */
const askingOf = (actor: Actor) => ({ ...viewerOf(actor), actor })

const list = operation({
  ...reading,
  id: 'telemetry-dashboard.alerts.list',
  path: '/api/alerts',
  summary: 'The rules of alerts, with their states',
  answer: alertRulesSchema,
  run: (_input, { host: { telemetry }, actor }: Call<DashboardHost>) =>
    telemetry.alerts.list(viewerOf(actor))
})

const firing = operation({
  ...reading,
  id: 'telemetry-dashboard.alerts.countFiring',
  path: '/api/alerts/firing',
  summary: 'How many enabled rules fire: the number beside Alerts in the navigation',
  answer: Type.Object({ count: Type.Integer() }),
  async run(_input, { host: { telemetry }, actor }: Call<DashboardHost>) {
    const { rules } = await telemetry.alerts.list(viewerOf(actor))
    return { count: rules.filter(({ enabled, state }) => enabled && state === 'firing').length }
  }
})

const create = operation({
  ...changing,
  id: 'telemetry-dashboard.alerts.create',
  method: 'POST',
  path: '/api/alerts',
  summary: 'Make a rule; the secret of its webhook is shown this once',
  access: access.administer,
  effect: 'change',
  body: givenRuleSchema,
  status: 201,
  answer: savedRuleSchema,
  run: ({ body }, { host: { telemetry }, actor }: Call<DashboardHost>) =>
    telemetry.alerts.save(askingOf(actor), body)
})

const history = operation({
  ...reading,
  id: 'telemetry-dashboard.alerts.listChanges',
  path: '/api/alerts/history',
  summary: 'Changes of state, newest first',
  query: Type.Object({ ruleId: optionalText('Only of this rule.'), ...limitParameter }),
  answer: alertChangesSchema,
  run: ({ query: { ruleId, limit } }, { host: { telemetry }, actor }: Call<DashboardHost>) =>
    telemetry.alerts.history(viewerOf(actor), {
      limit: capped(limit, MAX_CHANGES),
      ...given({ ruleId })
    })
})

const preview = operation({
  ...changing,
  id: 'telemetry-dashboard.alerts.preview',
  method: 'POST',
  path: '/api/alerts/preview',
  summary: 'What a rule would have done in the past',
  access: access.read,
  effect: 'read',
  query: Type.Object(rangeParameters),
  body: givenRuleSchema,
  answer: alertPreviewSchema,
  run({ query, body }, { host: { telemetry }, actor }: Call<DashboardHost>) {
    const range = readRange(query, telemetry.clock.now())
    if (isRefused(range)) return range
    return telemetry.alerts.preview(viewerOf(actor), body, range)
  }
})

const replace = operation({
  ...changing,
  id: 'telemetry-dashboard.alerts.replace',
  method: 'PUT',
  path: '/api/alerts/:id',
  summary: 'Replace a rule',
  access: access.administer,
  effect: 'change',
  hints: { idempotent: true },
  params: ruleParams,
  body: givenRuleSchema,
  answer: savedRuleSchema,
  errors: refusals.only('validation_failed', 'not_found'),
  run: ({ params: { id }, body }, { host: { telemetry }, actor }: Call<DashboardHost>) =>
    telemetry.alerts.save(askingOf(actor), body, id)
})

const remove = operation({
  ...changing,
  id: 'telemetry-dashboard.alerts.delete',
  method: 'DELETE',
  path: '/api/alerts/:id',
  summary: 'Delete a rule with its history',
  access: access.administer,
  effect: 'change',
  hints: { destructive: true, idempotent: true },
  params: ruleParams,
  answer: Type.Object({ removed: Type.Integer({ description: '1, or 0 without such a rule.' }) }),
  run: ({ params: { id } }, { host: { telemetry }, actor }: Call<DashboardHost>) =>
    telemetry.alerts.remove(viewerOf(actor), id)
})

/** The operations of alerts. */
export const alertOperations: readonly Operation<DashboardHost>[] = [
  list,
  firing,
  create,
  history,
  preview,
  replace,
  remove
]
