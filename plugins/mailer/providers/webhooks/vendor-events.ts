// Events of webhooks: complete ones, and a batch that one unusable event cannot spoil.
import type { ProviderEvent, ProviderEventType } from '../../contracts/mailer-provider.ts'
import { isMailable, normalAddress } from '../../ledger/address.ts'
import { items, members, text } from '../vendor-json.ts'

/** What a vendor said of an event; anything may be missing. */
export interface VendorEvent {
  readonly type: ProviderEventType | undefined
  readonly providerEventId: string | undefined
  readonly providerMessageId: string | undefined
  readonly email: unknown
  readonly occurredAt: Date | undefined
  readonly details: Readonly<Record<string, unknown>>
}

/** The address in `Ann <ann@example.test>`, which some servers write into their events. */
const bare = (text: string): string => /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text

/** The event when it is complete. Details without a value are left out. */
export function completeEvent(said: VendorEvent): ProviderEvent | undefined {
  const { type, providerEventId, occurredAt, email } = said
  if (type === undefined || providerEventId === undefined || occurredAt === undefined)
    return undefined
  const address = typeof email === 'string' ? bare(email.slice(0, 1000)) : undefined
  if (!isMailable(address)) return undefined
  const details = Object.entries(said.details).filter(([, value]) => value !== undefined)
  return {
    type,
    providerEventId,
    providerMessageId: said.providerMessageId ?? null,
    email: normalAddress(address),
    occurredAt,
    details: Object.fromEntries(details)
  }
}

/** The events of a list; those that cannot be read are left out. */
export function readEach(
  list: unknown,
  read: (event: Readonly<Record<string, unknown>>) => VendorEvent | undefined
): readonly ProviderEvent[] {
  return items(list).flatMap((item) => {
    const said = read(members(item))
    const event = said && completeEvent(said)
    return event === undefined ? [] : [event]
  })
}

/** The codes in a server's words, as `550 5.1.1 no such user`. */
export function replyCodes(words: unknown): { code?: number; enhancedCode?: string } {
  const [, code, enhancedCode] =
    /^(?:smtp;\s*)?([245]\d\d)?(?:[ -]*([245]\.\d{1,3}\.\d{1,3}))?/i.exec(
      (text(words) ?? '').trim()
    ) ?? []
  return {
    ...(code !== undefined && { code: Number(code) }),
    ...(enhancedCode !== undefined && { enhancedCode })
  }
}
