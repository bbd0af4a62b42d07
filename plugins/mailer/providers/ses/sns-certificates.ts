// The certificates that SNS signs with: fetched from SNS alone, once, and kept.
import { createBoundedMap } from '@keelson/sdk'
import type { fetch as undiciFetch } from 'undici'
import { isSnsAddress } from './sns-message.ts'

/** A certificate in PEM by its address. @throws Error when it cannot be had. */
export type SnsCertificates = (address: string) => Promise<string>

const MAX_KEPT = 16
const MAX_BYTES = 65_536
const TIMEOUT_MS = 5_000

/**
 * Certificates are replaced at new addresses, so one that was fetched stays. SNS does not repeat a webhook
 * that was answered with 401, so a failure is tried once more; it is not kept.
 */
export function createSnsCertificates(fetch: typeof undiciFetch): SnsCertificates {
  const kept = createBoundedMap<string, Promise<string>>(MAX_KEPT)
  return (address) => {
    const known = kept.get(address)
    if (known !== undefined) return known
    const fetched = fetchFromSns(fetch, address).catch(() => fetchFromSns(fetch, address))
    kept.set(address, fetched)
    fetched.catch(() => kept.delete(address))
    return fetched
  }
}

/** A text of SNS, within limits of time and size. */
export async function fetchFromSns(fetch: typeof undiciFetch, address: string): Promise<string> {
  if (!isSnsAddress(address)) throw new TypeError('not an address of Amazon SNS')
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(address, { redirect: 'error', signal })
  if (response.status !== 200) throw new Error(`Amazon SNS answered ${response.status}`)
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('latin1')
    if (text.length > MAX_BYTES) throw new Error('the answer of Amazon SNS is too long')
  }
  return text
}
