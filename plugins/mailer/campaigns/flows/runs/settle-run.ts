// What is stored about a run after a pass, as the result of its queue item. Pure.
import type { ItemResult, ItemUpdate, Notified } from '@keelson/sdk'
import type { FlowRunRow, RunEntry } from '../../../ledger/flow-rows.ts'
import type { Rest } from '../interpret/run-state.ts'

/** Entries that a run keeps. */
export const MAX_HISTORY = 200
const CALL_AGAIN_MS = 60_000

/** Fields of a run that a pass writes; those that are left out are removed. */
interface RunFields {
  readonly status: FlowRunRow['status']
  readonly path?: string
  readonly waitingFor?: string
  readonly waitingMatch?: FlowRunRow['waitingMatch'] & {}
  readonly waitSince?: Date
  readonly nextActionAt?: Date
  readonly failedCalls?: number
  readonly exitedAt?: Date
  readonly exitReason?: string
  readonly emailAtEntry?: string
}

const ALWAYS_WRITTEN = [
  'waitingFor',
  'waitingMatch',
  'waitSince',
  'nextActionAt',
  'failedCalls',
  'hold',
  'exitedAt',
  'exitReason'
] as const

/** What a pass over a run came to. */
export interface PassOfRun {
  readonly run: FlowRunRow
  readonly entries: readonly RunEntry[]
  readonly rest: Rest
  /** Of a rest that calls an address. */
  readonly call?: Notified
  /** The address of the contact, where the run has none yet. */
  readonly email?: string
}

/** What webhook steps are tried by. */
export interface CallPolicy {
  readonly webhookRetryAttempts: number
}

/** The result of the queue item. A run that was ended meanwhile stays as it was ended. */
export function settleRun(pass: PassOfRun, policy: CallPolicy, now: Date): ItemResult {
  const { rest, entries, email } = pass
  const own = email === undefined ? {} : { emailAtEntry: email }
  switch (rest.kind) {
    case 'wait': {
      const { path, since: waitSince, until, event, match } = rest
      const waitingFor = {
        ...(event !== undefined && { waitingFor: event }),
        ...(match !== undefined && { waitingMatch: match })
      }
      const fields = { ...own, status: 'active', path, waitSince, nextActionAt: until } as const
      return scheduled(until, { ...fields, ...waitingFor }, entries)
    }
    case 'more':
      return scheduled(now, { ...own, status: 'active', path: rest.path }, entries)
    case 'completed':
      return ended({ ...own, status: 'completed', path: rest.path }, entries, now)
    case 'exited':
      return ended(
        { ...own, status: 'exited', path: rest.path, exitReason: rest.reason },
        entries,
        now
      )
    case 'call':
      return settleCall({ ...pass, rest }, policy, now)
  }
}

const UNREADABLE_AGAIN_MS = 30_000

/** A run that waits because something of the host cannot be read. */
export const laterRun = (now: Date): ItemResult => ({
  state: 'scheduled',
  dueAt: new Date(now.getTime() + UNREADABLE_AGAIN_MS)
})

/** How soon, and how rarely in the end, a run that is held asks again. */
const HELD_AGAIN_MS = { least: 60_000, most: 15 * 60_000 }

/** A run that may not go on now: it stays where it is and asks again, ever more rarely. */
export function heldRun(
  { hold: known }: FlowRunRow,
  { cause, message }: { readonly cause: string; readonly message: string },
  now: Date
): ItemResult {
  const since = known?.since ?? now
  const { least, most } = HELD_AGAIN_MS
  const pause = Math.min(Math.max(now.getTime() - since.getTime(), least), most)
  const hold = whileActive({ $literal: { cause, message, since } }, '$hold')
  return {
    state: 'scheduled',
    dueAt: new Date(now.getTime() + pause),
    update: [{ $set: { hold } }]
  }
}

/** A run that cannot go on. */
export function failedRun(reason: string, path: string, now: Date): ItemResult {
  const entry: RunEntry = { at: now, path, action: 'failed', detail: { reason } }
  return ended({ status: 'failed', exitReason: reason }, [entry], now)
}

function settleCall(
  { run, rest, entries, call }: PassOfRun & { readonly rest: Extract<Rest, { kind: 'call' }> },
  { webhookRetryAttempts }: CallPolicy,
  now: Date
): ItemResult {
  const { path, next, step } = rest
  const result = call ?? { state: 'again', problem: 'it was not called' }
  const isOk = result.state === 'sent'
  const failedCalls = isOk ? 0 : (run.path === path ? (run.failedCalls ?? 0) : 0) + 1
  if (result.state === 'again' && failedCalls < webhookRetryAttempts) {
    const afterMs = Math.max(CALL_AGAIN_MS, (result.afterSeconds ?? 0) * 1000)
    const nextActionAt = new Date(now.getTime() + afterMs)
    return scheduled(nextActionAt, { status: 'active', path, nextActionAt, failedCalls }, entries)
  }
  const detail = isOk ? { status: result.status } : { failed: result.problem }
  const called = [...entries, { at: now, path, action: 'webhook_called', detail } as const]
  if (!isOk && step.failureMode === 'fail_run')
    return ended({ status: 'failed', path, exitReason: 'webhook_failed' }, called, now)
  if (next === undefined) return ended({ status: 'completed', path }, called, now)
  return scheduled(now, { status: 'active', path: next }, called)
}

const scheduled = (dueAt: Date, fields: RunFields, entries: readonly RunEntry[]): ItemResult => ({
  state: 'scheduled',
  dueAt,
  update: updateOf(fields, entries)
})

const ended = (fields: RunFields, entries: readonly RunEntry[], now: Date): ItemResult => ({
  state: 'done',
  update: updateOf({ ...fields, exitedAt: now }, entries)
})

/** Runs in one batch that went the same way have equal updates: the queue writes them in one command. */
function updateOf(fields: RunFields, entries: readonly RunEntry[]): ItemUpdate {
  const written = {
    ...Object.fromEntries(ALWAYS_WRITTEN.map((name) => [name, undefined])),
    ...fields
  }
  const set = Object.entries(written).map(([name, value]) => [
    name,
    whileActive(value === undefined ? '$$REMOVE' : { $literal: value }, `$${name}`)
  ])
  const all = { $concatArrays: ['$history', { $literal: entries }] }
  const history =
    entries.length === 0
      ? {}
      : { history: whileActive({ $slice: [all, -MAX_HISTORY] }, '$history') }
  return [{ $set: { ...Object.fromEntries(set), ...history } }]
}

const whileActive = (value: unknown, otherwise: string) => ({
  $cond: [{ $eq: ['$status', 'active'] }, value, otherwise]
})
