// Mailbox providers that refuse the sender, as by a block list or a policy: counted for each of them. Pure.
import type { MailOutcome } from '@keelson/mailer/contracts'
import type { Sentence } from '@keelson/sdk'
import { chanceOfAtLeast } from './binomial.ts'
import { say } from './sentences.ts'
import { addToWindow, type CountedEvent, countWindow, type Slot, weekWindow } from './window.ts'

/** Slots of each mailbox provider: `sent` are all mails to it, `failedToSend` those that it refused. */
export type RefusalSlots = Readonly<Record<string, readonly Slot[]>>

/** What happened at a mailbox provider. */
export interface ProviderEvent extends CountedEvent {
  readonly provider: string
}

const DAY_MS = 86_400_000
const SHAPE = { ...weekWindow, lengthMs: DAY_MS }
const SENDER_CLASSES: readonly unknown[] = ['block', 'policy']
/** One refusal alone says nothing. */
const MIN_REFUSED = 2
/** Below this chance, a share of few mails is not an accident. */
const UNLIKELY = 0.01

/** What an outcome says of its mailbox provider; nothing where the refusal is about the person or the message. */
export function providerEventsOf(outcome: MailOutcome): readonly ProviderEvent[] {
  const { type, mailboxProvider: provider, bounceClass, occurredAt } = outcome
  if (provider === undefined) return []
  const at = occurredAt.getTime()
  if (type === 'accepted') return [{ provider, counter: 'sent', at }]
  if (!SENDER_CLASSES.includes(bounceClass)) return []
  const refused = { provider, counter: 'failedToSend', at } as const
  if (type === 'soft_bounce') return [refused]
  // The hand-over itself was refused: it was not counted as sent.
  return type === 'send_failed' ? [refused, { provider, counter: 'sent', at }] : []
}

/** The slots with the events added. */
export function addRefusals(
  slots: RefusalSlots,
  events: readonly ProviderEvent[],
  now: number
): RefusalSlots {
  const providers = new Set([...Object.keys(slots), ...events.map(({ provider }) => provider)])
  return Object.fromEntries(
    [...providers].map((provider) => {
      const own = events.filter((event) => event.provider === provider)
      const counted = own.map(({ counter, at }) => ({ counter, at }))
      return [provider, addToWindow(slots[provider] ?? [], counted, { ...SHAPE, now })]
    })
  )
}

/** Which mailbox providers refuse more than a sender in good standing sees; null when none does. */
export function refusalWarning(
  slots: RefusalSlots,
  limitPct: number,
  now: number
): Sentence | null {
  const found = Object.entries(slots).flatMap(([provider, own]) => {
    const { sent, failedToSend: refused } = countWindow(own, { ...SHAPE, now })
    const all = Math.max(sent, refused)
    const isUnlikely =
      refused >= MIN_REFUSED &&
      refused * 100 > limitPct * all &&
      chanceOfAtLeast(refused, all, limitPct / 100) < UNLIKELY
    if (!isUnlikely) return []
    const name = NAMES[provider]
    return [
      name === undefined
        ? say('breaker.warn.refusedOther', { refused, all })
        : say('breaker.warn.refused', { name, refused, all })
    ]
  })
  if (found.length === 0) return null
  return {
    message: found.map(({ message }) => message).join(' '),
    said: found.flatMap(({ said }) => said)
  }
}

const NAMES: Readonly<Record<string, string>> = {
  gmail: 'Gmail',
  yahoo: 'Yahoo',
  microsoft: 'Microsoft',
  apple: 'Apple'
}
