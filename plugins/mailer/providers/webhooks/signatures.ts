// What every check of a webhook's signature needs: constant time, one value per header, freshness.
import { hash, timingSafeEqual } from 'node:crypto'
import type { WebhookHeaders } from '../../contracts/mailer-provider.ts'

/** Whether two texts are the same, in time that does not depend on where they differ. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}

/** The value of a header that occurs once; undefined for others. Names are in lower case. */
export function onlyHeader(headers: WebhookHeaders, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  const [only, ...more] = Array.isArray(value) ? value : [value]
  return more.length === 0 && only !== '' ? only : undefined
}

/** Whether a time is near enough, old or early. A tolerance of 0 takes any. */
export function isFresh(at: number, now: Date, toleranceSeconds: number): boolean {
  if (toleranceSeconds === 0) return true
  return Math.abs(now.getTime() - at) <= toleranceSeconds * 1000
}

/** Unix seconds as text; NaN, which is never fresh, for any other text. */
export const secondsOf = (text: string): number =>
  /^\d{1,12}$/.test(text) ? Number(text) * 1000 : Number.NaN
