// The status of a send, computed from what is recorded about it: the order in which facts arrive never matters.
import type { Document } from 'mongodb'

/** Where the hand-off of a send is; only the worker that holds the send moves it. */
export const HANDOFF_STATES = [
  'queued',
  'deferred',
  'held',
  'sending',
  'sent',
  'failed',
  'unknown',
  'suppressed',
  'cancelled',
  'holdout'
] as const

/** Where the hand-off of a send is. */
export type HandoffState = (typeof HANDOFF_STATES)[number]

/**
 * The status of a send. `failed` is both awaiting retry and final. `unknown`: the provider may or may not
 * have the mail.
 */
export type SendStatus =
  | HandoffState
  | 'delivered'
  | 'opened'
  | 'clicked'
  | 'bounced'
  | 'complained'

/**
 * Facts that later events record, strongest first. A bounce or a complaint outranks everything; a click
 * proves an open, an open a delivery. A provider that dropped the mail never delivers it.
 */
const FACTS = [
  ['complainedAt', 'complained'],
  ['bouncedAt', 'bounced'],
  ['firstClickAt', 'clicked'],
  ['openedAt', 'opened'],
  ['deliveredAt', 'delivered'],
  ['droppedAt', 'failed']
] as const

/** The name of a field that holds the time of a fact. */
export type FactField = (typeof FACTS)[number][0]

/** The part of a send that its status depends on. */
export type StatusFacts = { readonly handoff: HandoffState } & {
  readonly [field in FactField]?: Date | null
}

/** The status of a send with these facts. */
export function statusOf(facts: StatusFacts): SendStatus {
  const strongest = FACTS.find(([field]) => facts[field] instanceof Date)
  return strongest?.[1] ?? facts.handoff
}

/**
 * The same as a stage of an update pipeline. Every write about a send ends with it, so that `status` in the
 * database always follows from the facts beside it.
 */
export const STATUS_STAGE: Document = {
  $set: {
    status: {
      $switch: {
        branches: FACTS.map(([field, status]) => ({
          case: { $eq: [{ $type: `$${field}` }, 'date'] },
          // biome-ignore lint/suspicious/noThenProperty: `then` is MongoDB's word.
          then: status
        })),
        default: '$handoff'
      }
    }
  }
}
