// What a vendor's answer means for the mail: accepted, rejected, to be tried again, or unknown.
import { retryAfterTime } from '@keelson/sdk'
import { type Fault, faultOfAnswer } from '../fault-of-failure.ts'
import type { VendorAnswer } from './vendor-api.ts'

/** How the answers of one vendor are read. */
export interface AnswerReader {
  /** The id of a mail that was taken. */
  idOf(answer: VendorAnswer): string | undefined
  /** The words of a refusal; undefined when the body is not the vendor's error document. */
  reasonOf(body: unknown): string | undefined
  /** Refusals with a status of 4xx that are about the account, not about the mail. */
  isAboutAccount?(answer: VendorAnswer): boolean
  /** Refusals that say that an earlier call may have handed the mail over. */
  isRepeated?(answer: VendorAnswer): boolean
}

/** What became of the mail. `retry`: the vendor does not have it. */
export type Verdict =
  | { readonly status: 'accepted'; readonly providerId: string }
  | { readonly status: 'rejected'; readonly reason: string }
  /** `isDown`: the server in front of the vendor has no answer of it. */
  | { readonly status: 'unknown'; readonly reason: string; readonly isDown?: true }
  | {
      readonly status: 'retry'
      readonly reason: string
      readonly fault: Fault
      readonly retryAfterSeconds?: number
    }

/** Keys, permissions, addresses and limits of the account, and requests that did not arrive whole. */
const ABOUT_THE_ACCOUNT = [401, 402, 403, 404, 405, 407, 408, 409, 421, 423, 425, 429]

/**
 * A status of 2xx counts only with an id: anything else may be an answer of another server. A refusal with a
 * status of 5xx counts when it is the vendor's error document; a gateway cannot know what became of the mail.
 */
export function judgeAnswer(answer: VendorAnswer, read: AnswerReader, now: Date): Verdict {
  const { status, body } = answer
  const words = read.reasonOf(body)
  const reason = words === undefined ? `HTTP ${status}` : `HTTP ${status}: ${words}`
  if (status >= 200 && status < 300) {
    const providerId = read.idOf(answer)
    if (providerId !== undefined) return { status: 'accepted', providerId }
    return { status: 'unknown', reason: `${reason} without an id` }
  }
  const seconds = retryAfterSeconds(answer.headers, now)
  const retry = {
    status: 'retry',
    reason,
    fault: faultOfAnswer(status, words, read.isAboutAccount?.(answer) === true),
    ...(seconds !== undefined && { retryAfterSeconds: seconds })
  } as const
  if (status < 400 || status === 503) return retry
  if (read.isRepeated?.(answer) === true) return { status: 'unknown', reason }
  if (status >= 500)
    return words === undefined ? { status: 'unknown', reason, isDown: true } : retry
  const isMendable = ABOUT_THE_ACCOUNT.includes(status) || read.isAboutAccount?.(answer) === true
  return isMendable ? retry : { status: 'rejected', reason }
}

const DAY_SECONDS = 86_400

/** `Retry-After` in seconds or as a date, else `X-RateLimit-Reset` as a Unix time; a day at most. */
export function retryAfterSeconds(
  headers: ReadonlyMap<string, string>,
  now: Date
): number | undefined {
  const reset = Number(headers.get('x-ratelimit-reset') || Number.NaN) * 1000
  const until = retryAfterTime(headers.get('retry-after') ?? '', now)
  const at = Number.isNaN(until) ? reset : until
  const seconds = Math.ceil((at - now.getTime()) / 1000)
  return seconds > 0 ? Math.min(seconds, DAY_SECONDS) : undefined
}
