// Rules and changes as they are stored, and as they are shown.

import type {
  AlertChange,
  AlertCondition,
  AlertDelivery,
  AlertDeliveryState,
  AlertRule,
  AlertSignal,
  AlertState
} from '../schemas/alerts.ts'
/** The state of one value of a rule by group. */
export interface StoredGroup {
  readonly group: string
  readonly state: AlertState
  readonly since: Date
  readonly value: number | null
}

export interface StoredAlert {
  _id: string
  tenantId: string
  name: string
  description: string
  enabled: boolean
  /** JSON text: keys of attributes may be what no document can hold. */
  signal: string
  condition: AlertCondition
  windowMinutes: number
  /** Records that a window must hold; absent where one is enough. */
  minimum?: number
  deliver: AlertDelivery
  webhookSecret?: string
  /** Who saved it last: its mails are sent in their name. */
  ownerRef: string | null
  /** As audit logs name them; absent in rules from before it was kept. */
  ownerName?: string
  /** In which tenant and role they saved it. */
  ownerTenant?: string
  ownerRole?: string
  /** The subject ref that its signal is about, for erasure. */
  subject?: string
  createdAt: Date
  updatedAt: Date
  state: AlertState
  since: Date
  evaluatedAt: Date | null
  value: number | null
  problem: string | null
  /** Of a rule by group: the values that are not ok. */
  groups?: readonly StoredGroup[]
  /** Of the next evaluation; absent while it is switched off. */
  dueAt?: Date
  /** Changes with every save: an evaluation of what it was before is dropped. */
  revision: string
}

export interface StoredChange {
  _id: string
  ruleId: string
  ruleName: string
  /** Of a rule by group. */
  group?: string
  tenantId: string
  at: Date
  from: AlertState
  to: AlertState
  value: number | null
  previous: number | null
  summary: string
  deliveries: AlertDeliveryState[]
  /** The change after it, when that waits for this one. */
  followedBy?: string
  /** Kept by the queue, with more fields, when something is to be sent. */
  dueAt?: Date
  state?: 'due' | 'leased' | 'done' | 'parked'
  attempts?: number
}

export const signalOf = (alert: Pick<StoredAlert, 'signal'>): AlertSignal =>
  JSON.parse(alert.signal) as AlertSignal

/** Addresses of webhooks often hold a secret, and those of mails are people's: only admins see them whole. */
export function showAlert(alert: StoredAlert, isAdmin: boolean): AlertRule {
  const { _id, webhookSecret, dueAt, revision, signal, subject, deliver, ...more } = alert
  const { ownerName, ownerTenant, ownerRole, ...shown } = more
  const { webhook, mail } = deliver
  const isHidden = !isAdmin && (webhook !== undefined || (mail !== undefined && 'to' in mail))
  return {
    ...shown,
    id: _id,
    signal: signalOf(alert),
    deliver: isHidden ? withoutAddresses(deliver) : deliver
  }
}

function withoutAddresses({ webhook, mail }: AlertDelivery): AlertDelivery {
  return {
    ...(webhook !== undefined && { webhook: { url: `${new URL(webhook.url).origin}/…` } }),
    ...(mail !== undefined && { mail: 'to' in mail ? { to: mail.to.map(() => '…') } : mail })
  }
}

export function showChange(change: StoredChange): AlertChange {
  const { _id: id, ruleId, ruleName, tenantId, at, from, to, value, previous, summary } = change
  const { deliveries, group } = change
  const rule = { ruleId, ruleName, ...(group !== undefined && { group }) }
  return { id, ...rule, tenantId, at, from, to, value, previous, summary, deliveries }
}
