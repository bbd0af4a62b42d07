// What the answer of a receiver means for a message, and for those after it. Pure.
import { retryAfterTime } from '../http/retry-after.ts'

/** What became of a message. */
export type Notified =
  | { readonly state: 'sent'; readonly status?: number }
  /** It may be tried again: not before `afterSeconds`, when that is known. */
  | { readonly state: 'again'; readonly problem: string; readonly afterSeconds?: number }
  /** It is given up. */
  | { readonly state: 'ended'; readonly problem: string }

const LONGEST_S = 3_600

/** Seconds of a `Retry-After`, which says seconds or a date; at most an hour. Undefined without a usable one. */
export function retryAfterSeconds(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined
  const seconds = Math.ceil((retryAfterTime(header, now) - now.getTime()) / 1000)
  return seconds > 0 ? Math.min(seconds, LONGEST_S) : undefined
}

/** Judges an answer of a webhook. 410 ends the endpoint: its receiver wants no more messages. */
export function judgeAnswer(status: number, retryAfter: string | null, now: Date): Notified {
  if (status >= 200 && status < 300) return { state: 'sent', status }
  const problem = `the webhook answered ${status}`
  if (status === 410) return { state: 'ended', problem }
  const afterSeconds = retryAfterSeconds(retryAfter, now)
  return { state: 'again', problem, ...(afterSeconds !== undefined && { afterSeconds }) }
}

/** What is known of an endpoint from answers before. */
export interface EndpointState {
  /** It answered 410. */
  readonly goneAt?: Date
  /** It asked to be left alone until then. */
  readonly waitsUntil?: Date
}

/** Undefined when it may be called. */
export function judgeEndpoint(
  { goneAt, waitsUntil }: EndpointState,
  now: Date
): Notified | undefined {
  if (goneAt !== undefined) return { state: 'ended', problem: 'the webhook answered 410 before' }
  const ms = (waitsUntil?.getTime() ?? 0) - now.getTime()
  if (ms <= 0) return undefined
  return {
    state: 'again',
    problem: 'the webhook asked to wait',
    afterSeconds: Math.ceil(ms / 1000)
  }
}
