// Why a provider dropped a mail that it had taken, and what follows for the address. Pure.

/** What a drop tells of the address. `none`: nothing, as for a mail with a virus. */
export type DropMeaning = 'hard_bounce' | 'complaint' | 'unsubscribed' | 'none'

/**
 * Vendors drop mail to addresses on lists of theirs, and for faults of the mail. The first pattern that
 * fits decides; a reason that is unknown says nothing about the address.
 */
const MEANINGS: readonly (readonly [RegExp, DropMeaning])[] = [
  [/complain|spam report/i, 'complaint'],
  [/unsubscri/i, 'unsubscribed'],
  [/bounce/i, 'hard_bounce'],
  // Lists of the vendor that do not say why: each later mail would be refused as well.
  [/suppression ?list|^\s*suppressed\s*$/i, 'hard_bounce'],
  [/^\s*invalid\s*$|invalid (address|e-?mail|recipient)|does not exist/i, 'hard_bounce']
]

/** The meaning of the vendor's words. */
export function meaningOfDrop(reason: string | undefined): DropMeaning {
  const found = MEANINGS.find(([pattern]) => reason !== undefined && pattern.test(reason))
  return found?.[1] ?? 'none'
}
