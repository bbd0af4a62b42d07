// Whether bounces that may each pass say together that a mailbox takes no mail. Pure.

const DAY_MS = 86_400_000

/** When bounces of an address count together. */
export interface PromotionRules {
  readonly threshold: number
  /** From the first of them to the last. */
  readonly minDays: number
}

/** What is known of an address. */
export interface BouncingAddress {
  readonly bounces: readonly Date[]
  /** The newest sign that mail arrived: what bounced before it does not count. */
  readonly lastDelivery?: Date | undefined
}

/** The bounces that count; undefined when they are too few, or too close together. */
export function planPromotion(
  { bounces, lastDelivery }: BouncingAddress,
  { threshold, minDays }: PromotionRules
): { readonly count: number; readonly from: Date; readonly to: Date } | undefined {
  const counted = bounces
    .filter((at) => lastDelivery === undefined || at > lastDelivery)
    .sort((a, b) => a.getTime() - b.getTime())
  const [from, to] = [counted[0], counted.at(-1)]
  if (counted.length < threshold || from === undefined || to === undefined) return undefined
  if (to.getTime() - from.getTime() < minDays * DAY_MS) return undefined
  return { count: counted.length, from, to }
}
