// Finds the mails that webhook events are about, for a whole batch at once.

import type { MailerContext } from '../../ledger/context.ts'
import { OUTCOME_FIELDS } from '../../ledger/outcomes/record-outcomes.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { WebhookEventRow } from '../../ledger/webhook-row.ts'
import { namedSend } from './named-send.ts'

/** What the effects of an event need of its mail. */
const FIELDS = {
  ...OUTCOME_FIELDS,
  providerMessageId: 1,
  handoff: 1,
  handedAt: 1,
  links: 1
} as const

/** Mails to addresses of events that name no mail: the newest of them are looked at. */
const MAX_BY_ADDRESS = 1000

/**
 * The mail of each event, by the event's id: the send id that came back, else the vendor's message id, else
 * the newest mail that was handed over to the address. An event whose mail is unknown is missing.
 */
export async function findEventSends(
  context: Pick<MailerContext, 'collections'>,
  events: readonly WebhookEventRow[]
): Promise<Map<string, SendRow>> {
  const found = await findNamedSends(context, events)
  const rest = events.filter(({ _id, email }) => !found.has(_id) && email !== '')
  if (rest.length === 0) return found
  const newest = await context.collections.sends
    .find({
      emailAtSend: { $in: [...new Set(rest.map(({ email }) => email))] },
      handedAt: { $lte: new Date(Math.max(...rest.map(({ occurredAt }) => occurredAt.getTime()))) }
    })
    .project<SendRow>(FIELDS)
    .sort({ handedAt: -1 })
    .limit(MAX_BY_ADDRESS)
    .toArray()
  for (const event of rest) {
    const send = newest.find((row) => isBefore(row, event))
    if (send !== undefined) found.set(event._id, send)
  }
  return found
}

/** The same by ids alone, for events of senders who prove nothing: their addresses do not count. */
export async function findNamedSends(
  { collections }: Pick<MailerContext, 'collections'>,
  events: readonly WebhookEventRow[]
): Promise<Map<string, SendRow>> {
  const find = (filter: object) => collections.sends.find(filter).project<SendRow>(FIELDS).toArray()
  const ids = events.flatMap((event) => namedSend(event) ?? [])
  const messages = events.flatMap(({ providerMessageId }) => providerMessageId ?? [])
  const named = await Promise.all([
    ids.length === 0 ? [] : find({ _id: { $in: ids } }),
    messages.length === 0 ? [] : find({ providerMessageId: { $in: messages } })
  ])
  const rows = named.flat()
  const byId = new Map(rows.map((row) => [row._id, row]))
  const found = new Map<string, SendRow>()
  for (const event of events) {
    const send = byId.get(namedSend(event) ?? '') ?? sendOfMessage(rows, event)
    if (send !== undefined) found.set(event._id, send)
  }
  return found
}

/** A vendor's id may name a message to several addresses: then only its own address tells which mail it is. */
function sendOfMessage(
  rows: readonly SendRow[],
  { providerMessageId, email }: WebhookEventRow
): SendRow | undefined {
  if (providerMessageId === null) return undefined
  const sent = rows.filter((row) => row.providerMessageId === providerMessageId)
  const own = sent.find((row) => row.emailAtSend === email)
  return own ?? (sent.length === 1 ? sent[0] : undefined)
}

const isBefore = ({ emailAtSend, handedAt }: SendRow, { email, occurredAt }: WebhookEventRow) =>
  emailAtSend === email && handedAt !== undefined && handedAt <= occurredAt
