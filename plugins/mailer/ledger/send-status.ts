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
 * Every status of a send. `failed` is both awaiting retry and final. `unknown`: the provider may or may not
 * have the mail.
 */
export const SEND_STATUSES = [
  ...HANDOFF_STATES,
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained'
] as const

/** The status of a send. */
export type SendStatus = (typeof SEND_STATUSES)[number]

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

const isDate = (field: string) => ({ $eq: [{ $type: `$${field}` }, 'date'] })

/** What a send may have reached, and the letter for it in `progress`. */
const REACHED = {
  handed: ['h', isDate('handedAt')],
  delivered: ['d', isDate('deliveredAt')],
  opened: ['o', isDate('openedAt')],
  openedByPeople: ['O', isDate('humanOpenedAt')],
  clicked: ['c', isDate('firstClickAt')],
  clickedByPeople: ['C', isDate('humanClickedAt')],
  bounced: ['b', isDate('bouncedAt')],
  hardBounced: ['B', { $eq: ['$bounceType', 'hard'] }],
  complained: ['x', isDate('complainedAt')],
  dropped: ['p', isDate('droppedAt')],
  unsubscribed: ['u', isDate('unsubscribedAt')],
  failed: ['F', { $eq: ['$handoff', 'failed'] }],
  suppressed: ['S', { $eq: ['$handoff', 'suppressed'] }],
  cancelled: ['X', { $eq: ['$handoff', 'cancelled'] }],
  // No step of its way, but what tells it from the mails of the test when they are counted.
  rest: ['r', { $eq: ['$isRest', true] }]
} as const satisfies Readonly<Record<string, readonly [letter: string, condition: Document]>>

/** What a send may have reached. */
export type Reached = keyof typeof REACHED

/** `progress` of a send that is new. */
export const NO_PROGRESS = ''

/** `progress` of a new send to a contact who waited for the winner of a split test. */
export const REST_PROGRESS = REACHED.rest[0]

/** Whether a send with this `progress` has reached it. */
export const hasReached = (progress: string, what: Reached): boolean =>
  progress.includes(REACHED[what][0])

/**
 * The same as a stage of an update pipeline. Every write about a send ends with it, so that `status` and
 * `progress` in the database always follow from the facts beside them.
 */
export const STATUS_STAGE: Document = {
  $set: {
    progress: {
      $concat: Object.values(REACHED).map(([letter, condition]) => ({
        $cond: [condition, letter, '']
      }))
    },
    status: {
      $switch: {
        branches: FACTS.map(([field, status]) => ({
          case: isDate(field),
          // biome-ignore lint/suspicious/noThenProperty: `then` is MongoDB's word.
          then: status
        })),
        default: '$handoff'
      }
    }
  }
}
