// telemetry.alerts: rules of a viewer's scope, their history and previews, and their evaluation.

import { newWebhookSecret, type Queue, type QueueHandler, type TakeLease } from '@keelson/sdk'
import { newRecordId } from '../envelope/record-id.ts'
import { clampLimit, type Reader } from '../queries/reader.ts'
import { QueryError } from '../queries/types.ts'
import type { AlertRuleSpec } from '../schemas/alerts.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { type StoredAlert, showAlert, showChange } from '../storage/stored-alert.ts'
import { type AlertMailer, ownerActor } from './alert-mail.ts'
import { deliverChange, type Senders } from './deliver.ts'
import type { ChangeItem } from './delivery-order.ts'
import { evaluateDue } from './evaluate.ts'
import { previewRule } from './preview.ts'
import { readRule } from './rule.ts'
import { AlertError, type Alerts, type AlertViewer } from './types.ts'

export interface AlertsContext extends Senders {
  readonly storage: TelemetryStorage
  readonly reader: Reader
  readonly lease: TakeLease
  /** Hosts, `host` or `host:port`, that webhooks may go to. */
  readonly webhookHosts: readonly string[]
  /** Opens the queue of changes of state that owe messages. */
  openQueue(handler: QueueHandler<ChangeItem>): Queue<ChangeItem>
}

/** Rules of one tenant; under `*` as many of all tenants are listed. */
const MOST_RULES = 200
const MOST_CHANGES = 100
const DUPLICATE_KEY = 11000

export function createAlerts(context: AlertsContext): Alerts {
  const { storage, reader, webhookHosts } = context
  const { alerts, changes } = storage.collections
  const queue = context.openQueue(({ _id }) => deliverChange({ storage, senders: context }, _id))
  const read = (spec: unknown) => readRule(spec, reader.registry(), webhookHosts)
  return {
    async list({ tenantId, role }) {
      const found = await alerts
        .find(scopeOf(tenantId))
        .sort({ tenantId: 1, name: 1 })
        .limit(MOST_RULES)
        .toArray()
      return { rules: found.map((alert) => showAlert(alert, role === 'admin')) }
    },
    async save(viewer, spec, id) {
      requireAdmin(viewer)
      const rule = read(spec)
      if (rule.deliver?.mail !== undefined) await requireMail(context.mailer(), viewer)
      try {
        return id === undefined
          ? await insertRule(context, viewer, rule)
          : await replaceRule(context, viewer, rule, id)
      } catch (error) {
        if ((error as { code?: unknown }).code !== DUPLICATE_KEY) throw error
        throw new AlertError(400, `there is a rule named "${rule.name}" already`)
      }
    },
    async remove(viewer, id) {
      requireAdmin(viewer)
      const { deletedCount } = await alerts.deleteOne({ _id: id, tenantId: viewer.tenantId })
      if (deletedCount === 1) await changes.deleteMany({ ruleId: id })
      return { removed: deletedCount === 1 ? 1 : 0 }
    },
    async history({ tenantId }, { ruleId, limit } = {}) {
      const most = asAlertError(() => clampLimit(limit, MOST_CHANGES))
      const filter = { ...(ruleId !== undefined && { ruleId }), ...scopeOf(tenantId) }
      const found = await changes.find(filter).sort({ at: -1 }).limit(most).toArray()
      return { changes: found.map(showChange) }
    },
    async preview({ tenantId }, spec, range) {
      const rule = read(spec)
      try {
        return await previewRule(reader, tenantId, rule, range)
      } catch (error) {
        throw alertErrorOf(error)
      }
    },
    evaluate: (signal) => evaluateDue({ storage, reader, queue, lease: context.lease }, signal)
  }
}

const scopeOf = (tenantId: string) => (tenantId === '*' ? {} : { tenantId })

function requireAdmin({ role }: AlertViewer): void {
  if (role !== 'admin') throw new AlertError(403, 'forbidden')
}

const alertErrorOf = (error: unknown) =>
  error instanceof QueryError ? new AlertError(400, error.message) : error

function asAlertError<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw alertErrorOf(error)
  }
}

type Given = Pick<
  StoredAlert,
  | 'name'
  | 'description'
  | 'enabled'
  | 'signal'
  | 'condition'
  | 'windowMinutes'
  | 'minimum'
  | 'deliver'
>

function givenOf(rule: AlertRuleSpec): Given {
  return {
    name: rule.name,
    description: rule.description ?? '',
    enabled: rule.enabled ?? true,
    signal: JSON.stringify(rule.signal),
    condition: rule.condition,
    windowMinutes: rule.windowMinutes,
    ...(rule.minimum !== undefined && { minimum: rule.minimum }),
    deliver: rule.deliver ?? {}
  }
}

const subjectOf = ({ signal }: AlertRuleSpec) =>
  signal.source === 'series' ? signal.filters?.subject : undefined

async function insertRule(
  { storage, reader }: AlertsContext,
  viewer: AlertViewer,
  rule: AlertRuleSpec
): Promise<{ readonly id: string; readonly webhookSecret?: string }> {
  const { alerts } = storage.collections
  const { tenantId } = viewer
  if ((await alerts.countDocuments({ tenantId }, { limit: MOST_RULES })) >= MOST_RULES) {
    throw new AlertError(400, `there are ${MOST_RULES} rules already; remove one first`)
  }
  const now = reader.now()
  const webhookSecret = rule.deliver?.webhook === undefined ? undefined : newWebhookSecret()
  const subject = subjectOf(rule)
  const alert: StoredAlert = {
    _id: newRecordId(now.getTime()),
    tenantId,
    ...givenOf(rule),
    ...(webhookSecret !== undefined && { webhookSecret }),
    ...(subject !== undefined && { subject }),
    ...ownerOf(viewer),
    createdAt: now,
    updatedAt: now,
    state: 'ok',
    since: now,
    evaluatedAt: null,
    value: null,
    problem: null,
    revision: newRecordId(now.getTime()),
    ...(rule.enabled !== false && { dueAt: now })
  }
  await alerts.insertOne(alert)
  return { id: alert._id, ...(webhookSecret !== undefined && { webhookSecret }) }
}

/** Who saves a rule is who acts when it fires. */
const ownerOf = ({ viewerRef, actor, tenantId, role }: AlertViewer) => ({
  ownerRef: viewerRef ?? null,
  ownerName: actor?.name ?? `human:${viewerRef ?? 'anonymous'}`,
  ownerTenant: tenantId,
  ownerRole: role
})

/** Only who may send mail may make a rule send it. */
async function requireMail(mailer: AlertMailer | undefined, viewer: AlertViewer): Promise<void> {
  const actor = ownerActor(ownerOf(viewer), 'session')
  if (mailer === undefined) throw new AlertError(400, 'deliver.mail: the host has no mailer')
  if (actor !== undefined && (await mailer.as(actor).allowed())) return
  throw new AlertError(
    403,
    'deliver.mail: you may not send mail; ask an administrator of the mailer'
  )
}

/** What it measures may be something else now: its state begins anew. The history stays. */
async function replaceRule(
  { storage, reader }: AlertsContext,
  viewer: AlertViewer,
  rule: AlertRuleSpec,
  id: string
): Promise<{ readonly id: string; readonly webhookSecret?: string }> {
  const { alerts } = storage.collections
  const { tenantId } = viewer
  const known = await alerts.findOne({ _id: id, tenantId })
  if (known === null) throw new AlertError(404, 'no such rule')
  const now = reader.now()
  const url = rule.deliver?.webhook?.url
  const isSame = url !== undefined && url === known.deliver.webhook?.url
  const fresh = url === undefined || isSame ? undefined : newWebhookSecret()
  const secret = isSame ? known.webhookSecret : fresh
  const { webhookSecret, subject: formerSubject, minimum, dueAt, groups, ...kept } = known
  const subject = subjectOf(rule)
  const next: StoredAlert = {
    ...kept,
    ...ownerOf(viewer),
    ...givenOf(rule),
    ...(secret !== undefined && { webhookSecret: secret }),
    ...(subject !== undefined && { subject }),
    updatedAt: now,
    state: 'ok',
    since: now,
    evaluatedAt: null,
    value: null,
    problem: null,
    revision: newRecordId(now.getTime()),
    ...(rule.enabled !== false && { dueAt: now })
  }
  const { matchedCount } = await alerts.replaceOne({ _id: id, revision: known.revision }, next)
  if (matchedCount === 0)
    throw new AlertError(404, 'the rule was changed at the same time; try again')
  return { id, ...(fresh !== undefined && { webhookSecret: fresh }) }
}
