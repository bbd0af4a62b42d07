// mailer.send-gate/v1: holds mail before it is handed to a provider.

import {
  defineExtensionPoint,
  type ExtensionPoint,
  optionalFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { MailerCore, MailKind } from './mailer-core.ts'

/** Why mail is held. People see it beside each held mail. */
export interface SendHold {
  /** A stable code in snake_case, as `block_listed`. */
  readonly error: string
  /** One sentence for people. */
  readonly message: string
  /** Seconds until the gate is asked again. Default: with the next tick. */
  readonly retryAfterSeconds?: number
  /** Pauses the broadcast that the mail belongs to, so that the rest is not even tried. Default false. */
  readonly pauseBroadcast?: boolean
}

/** What the mails of one batch have in common. A batch is at most 1000 mails that are due now. */
export interface SendBatch {
  readonly kind: MailKind
  /** Domain of the From address, lower case; null when it has none. */
  readonly senderDomain: string | null
  readonly provider: string
  readonly templateSlug: string
  readonly broadcastSlug: string | null
  readonly flowSlug: string | null
  /** How many mails. */
  readonly count: number
}

/** One rendered mail, as it would be handed over. */
export interface GatedSend extends Omit<SendBatch, 'count'> {
  readonly sendId: string
  readonly externalId: string
  readonly to: string
  /** Domain of the recipient, lower case. */
  readonly recipientDomain: string
  readonly fromEmail: string
  readonly subject: string
  /** Undefined for mail without an HTML part. */
  readonly html?: string
  readonly text: string
}

/** What a gate gets beside the mail. */
export interface SendGateContext {
  readonly now: Date
  /** Aborted when the time limit (5 s) is over. */
  readonly signal: AbortSignal
  readonly mailer: MailerCore
}

/** The answer of a gate: null lets the mail go. */
export type GateAnswer = SendHold | null | Promise<SendHold | null>

interface SendGateHead {
  /** Unique among the gates: kebab-case. Shown beside each mail it holds. */
  readonly name: string
  /** The mail it is asked about. Default `['marketing']`. */
  readonly kinds?: readonly MailKind[]
}

/** Asked once for a batch, before anything is rendered. Cheap: prefer it to `check`. */
type CheckBatch = (batch: SendBatch, context: SendGateContext) => GateAnswer
/** Asked for each mail, after it is rendered. It runs once per recipient: no network, no queries. */
type Check = (send: GatedSend, context: SendGateContext) => GateAnswer

/**
 * A gate: `checkBatch` holds a batch whole, `check` holds one mail; one of the two is required. It is asked
 * at hand-off, after suppression and contact policy, and again for held mail until it lets it go; mail held
 * longer than 72 hours is cancelled with the reason. The first gate that holds wins.
 *
 * A throw or a time-out holds the mail with the code `gate_failed`, naming the gate: nothing is sent that a
 * gate could not judge.
 */
export type SendGate = SendGateHead &
  (
    | { readonly check: Check; readonly checkBatch?: CheckBatch }
    | { readonly check?: Check; readonly checkBatch: CheckBatch }
  )

const head = {
  name: Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 64 }),
  kinds: Type.Optional(Type.Array(Type.Enum(['marketing', 'transactional']), { minItems: 1 }))
}

/** Owned by the mailer. */
export const mailerSendGate: ExtensionPoint<SendGate> = defineExtensionPoint<SendGate>(
  'mailer.send-gate/v1',
  Type.Refine(
    Type.Object({ ...head, ...optionalFunctions('check', 'checkBatch') }),
    (gate) => 'check' in gate || 'checkBatch' in gate,
    () => 'must have a check or a checkBatch'
  )
)
