// Whether a mail that one provider did not take may go to another: only when a duplicate is impossible.
import type { ProviderResult } from '../contracts/mailer-provider.ts'

/** What became of a hand-over. `retry`: the provider threw, so it does not have the mail. */
export type DeliveryStatus = ProviderResult['status'] | 'retry'

/** The hand-overs of one mail so far, oldest first. */
export interface PastDelivery {
  readonly provider: string
  readonly status: DeliveryStatus
}

/**
 * The name of the provider that takes over, or undefined when the mail stays where it is.
 *
 * - `retry` moves on: the provider said that it does not have the mail.
 * - `rejected` stays: it is about the mail or its recipient, who may have unsubscribed there.
 * - `unknown`, now or in any earlier hand-over, stays for good: that provider may have the mail.
 *
 * `fallbacks` maps the name of a provider to the name of the one that takes over.
 */
export function fallbackFor(
  past: readonly PastDelivery[],
  fallbacks: Readonly<Record<string, string>>
): string | undefined {
  const last = past.at(-1)
  if (last === undefined || past.some(({ status }) => status !== 'retry')) return undefined
  const name = Object.hasOwn(fallbacks, last.provider) ? fallbacks[last.provider] : undefined
  return past.some(({ provider }) => provider === name) ? undefined : name
}
