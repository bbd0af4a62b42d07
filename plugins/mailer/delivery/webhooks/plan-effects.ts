// What a webhook event means: facts about its mail, and what follows for the address. Pure; order never matters.

import type { Document } from 'mongodb'
import type { EndStatus } from '../../audience/contacts/mark-subscriptions.ts'
import type {
  MailOutcomeType,
  SuppressionReason,
  SuppressionScope
} from '../../contracts/mailer-core.ts'
import { STATUS_STAGE } from '../../ledger/send-status.ts'
import type { WebhookEventRow } from '../../ledger/webhook-row.ts'
import { RECONCILE_STAGE } from '../sends/reconcile-unknown.ts'
import { type DropMeaning, meaningOfDrop } from './dropped-reason.ts'

/** What is recorded about a mail. */
export type SendFact =
  | {
      readonly kind: 'time'
      readonly field: 'deliveredAt' | 'complainedAt' | 'unsubscribedAt'
      readonly at: Date
    }
  | {
      readonly kind: 'bounce'
      readonly type: 'hard' | 'soft'
      readonly at: Date
      readonly reason: string
    }
  | { readonly kind: 'drop'; readonly at: Date; readonly reason: string }

/** What follows for the address, and for the subscription of its contact. */
export interface AddressEffect {
  readonly scope: SuppressionScope
  readonly reason: SuppressionReason
  readonly status: EndStatus
}

/** The effects of one event. All of them may be applied again. */
export interface Effects {
  readonly facts: readonly SendFact[]
  readonly address?: AddressEffect
  /** `open` and `click` are recorded with the hit. */
  readonly outcome?: MailOutcomeType
}

const ADDRESS: Readonly<Record<Exclude<DropMeaning, 'none'>, AddressEffect>> = {
  hard_bounce: { scope: 'all', reason: 'hard_bounce', status: 'bounced' },
  complaint: { scope: 'all', reason: 'complaint', status: 'complained' },
  unsubscribed: { scope: 'marketing', reason: 'unsubscribed', status: 'unsubscribed' }
}

/** The effects of an event. A mail that anything is heard of was sent: see `factStages`. */
export function planEffects(event: WebhookEventRow): Effects {
  const { type, occurredAt: at, details } = event
  switch (type) {
    case 'delivered':
      return { facts: [{ kind: 'time', field: 'deliveredAt', at }], outcome: 'delivered' }
    case 'bounce':
      return bounceEffects(event)
    case 'dropped': {
      const reason = details.reason ?? 'dropped by the provider'
      const meaning = meaningOfDrop(details.reason)
      const facts: SendFact[] = [{ kind: 'drop', at, reason }]
      const effects = { facts, outcome: 'send_failed' } as const
      return meaning === 'none' ? effects : { ...effects, address: ADDRESS[meaning] }
    }
    case 'spam_report':
      return {
        facts: [{ kind: 'time', field: 'complainedAt', at }],
        address: ADDRESS.complaint,
        outcome: 'complaint'
      }
    case 'unsubscribe':
      return {
        facts: [{ kind: 'time', field: 'unsubscribedAt', at }],
        address: ADDRESS.unsubscribed,
        outcome: 'unsubscribe'
      }
    case 'open':
    case 'click':
    case 'deferred':
    case 'unreadable':
      return { facts: [] }
  }
}

/** A bounce without a type is hard only where the mailbox itself is refused (RFC 3463: 5.1.x). */
function bounceEffects({ occurredAt: at, details }: WebhookEventRow): Effects {
  const { bounceType, enhancedCode = '', reason = enhancedCode } = details
  const type = bounceType ?? (enhancedCode.startsWith('5.1.') ? 'hard' : 'soft')
  const facts: SendFact[] = [{ kind: 'bounce', type, at, reason }]
  return type === 'soft'
    ? { facts, outcome: 'soft_bounce' }
    : { facts, outcome: 'hard_bounce', address: ADDRESS.hard_bounce }
}

/** The update of a mail for its facts, in any order and any number of times the same. */
export function factStages(facts: readonly SendFact[]): Document[] {
  return [RECONCILE_STAGE, ...facts.map(stageOf), STATUS_STAGE]
}

function stageOf(fact: SendFact): Document {
  switch (fact.kind) {
    case 'time':
      return { $set: { [fact.field]: { $min: [`$${fact.field}`, fact.at] } } }
    case 'drop':
      return {
        $set: {
          droppedAt: { $min: ['$droppedAt', fact.at] },
          errorMessage: first('errorMessage', fact.reason)
        }
      }
    case 'bounce':
      return {
        $set: {
          bouncedAt: { $min: ['$bouncedAt', fact.at] },
          bounceType: fact.type === 'hard' ? 'hard' : { $ifNull: ['$bounceType', 'soft'] },
          bounceReason: bounceReason(fact.type, fact.reason)
        }
      }
  }
}

/** The reason of a hard bounce replaces that of a soft one; of two alike, the first in the alphabet stays. */
function bounceReason(type: 'hard' | 'soft', reason: string): Document {
  const alike = { $eq: ['$bounceType', type] }
  const isStronger = type === 'hard' ? { $literal: reason } : '$bounceReason'
  return {
    $cond: [
      { $eq: [{ $type: '$bounceType' }, 'missing'] },
      { $literal: reason },
      { $cond: [alike, first('bounceReason', reason), isStronger] }
    ]
  }
}

const first = (field: string, text: string): Document => ({
  $min: [`$${field}`, { $literal: text }]
})
