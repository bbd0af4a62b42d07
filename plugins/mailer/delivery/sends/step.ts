// A step of sending: the mails that go on, and what became of the others. Pure.
import type { ItemResult } from '@keelson/sdk'
import type { SendRow } from '../../ledger/send-row.ts'
import type { NamedHold } from './ask-gates.ts'
import type { AnsweredMail } from './ready-mail.ts'

/** What became of a mail that does not go on. */
export interface Settlement {
  readonly send: SendRow
  readonly result: ItemResult
  /** A gate holds it, and wants its broadcast to be paused. */
  readonly pause?: NamedHold
  /** Its provider has answered. */
  readonly answered?: AnsweredMail
  /** A process that died had delivered and written it, but not recorded it in the feed. The row as it is now. */
  readonly recovered?: SendRow
}

/** What a step makes of its mails. */
export interface Step<Mail> {
  readonly go: readonly Mail[]
  readonly settled: readonly Settlement[]
}

/** A mail alone, or with what is known about it. */
type AnyMail = SendRow | { readonly send: SendRow }

const sendOf = (mail: AnyMail): SendRow => ('send' in mail ? mail.send : mail)

/** Lets the mails go on for which `settlementOf` has nothing. */
export function settleSome<Mail extends AnyMail>(
  mails: readonly Mail[],
  settlementOf: (mail: Mail, send: SendRow) => Omit<Settlement, 'send'> | undefined
): Step<Mail> {
  const go: Mail[] = []
  const settled: Settlement[] = []
  for (const mail of mails) {
    const send = sendOf(mail)
    const settlement = settlementOf(mail, send)
    if (settlement === undefined) go.push(mail)
    else settled.push({ send, ...settlement })
  }
  return { go, settled }
}

/** The same, by the results that are known for some of them. */
export function settleKnown<Mail extends AnyMail>(
  mails: readonly Mail[],
  results: ReadonlyMap<string, ItemResult>
): Step<Mail> {
  if (results.size === 0) return { go: mails, settled: [] }
  return settleSome(mails, (_mail, { _id }) => {
    const result = results.get(_id)
    return result && { result }
  })
}

/** A mail that does not go on. */
export const stays = (send: SendRow, result: ItemResult): Step<never> => ({
  go: [],
  settled: [{ send, result }]
})
