// Brings what happened to mails into telemetry, from the feed of outcomes: each once, also across crashes.

import type { MailerContext } from '../../ledger/context.ts'
import type { MailTelemetry } from '../../ledger/host-code.ts'
import { inChunks } from '../../ledger/in-chunks.ts'
import { type FollowOptions, followOutcomes } from '../../ledger/outcomes/follow-outcomes.ts'
import type { PlacedRow } from '../../ledger/outcomes/read-outcomes.ts'
import { mailEventOf, mailTelemetryRegistry, subjectRef } from './mail-events.ts'

/** Events that wait for the store at a time. */
const PAGE = 1000

/**
 * Emits what is new in the feed. Each event has its key, so a page that comes again after a crash
 * changes nothing. Without telemetry, or where its registry does not have the events, nothing is read.
 */
export async function emitMailEvents(
  context: MailerContext,
  options: FollowOptions = {}
): Promise<void> {
  const { telemetry } = context.config
  if (telemetry === undefined) return
  const missing = Object.keys(mailTelemetryRegistry).find(
    (name) => telemetry.store.registry.event(name) === undefined
  )
  if (missing !== undefined) {
    context.log.warn({ missing }, 'mailer: the telemetry registry lacks the events of mails')
    return
  }
  const take = (rows: readonly PlacedRow[]) => emitPage(context, telemetry, rows)
  await followOutcomes(context, [{ name: 'telemetry', take }], { limit: PAGE, ...options })
}

async function emitPage(
  context: MailerContext,
  telemetry: MailTelemetry,
  rows: readonly PlacedRow[]
): Promise<void> {
  const { store, tenantId } = telemetry
  const results = await Promise.all(
    rows.map((row) => {
      const event = mailEventOf(row._id, row, tenantId)
      return event && store.emit(event.name, event.record)
    })
  )
  const refused = results.filter((result) => result?.outcome === 'rejected')
  if (refused.length > 0) {
    const { reason } = refused[0] ?? {}
    context.log.warn({ count: refused.length, reason }, 'mailer: telemetry refused events of mails')
  }
  await forgetAgain(context, telemetry, rows)
}

/** Contacts who were erased while the page was on its way: their mails are gone, so their events must go. */
async function forgetAgain(
  { collections }: MailerContext,
  { store, tenantId }: MailTelemetry,
  rows: readonly PlacedRow[]
): Promise<void> {
  const contacts = new Map(rows.map(({ sendId, externalId }) => [sendId, externalId]))
  const kept = await inChunks([...contacts.keys()], (ids) =>
    collections.sends.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } }).toArray()
  )
  for (const { _id } of kept) contacts.delete(_id)
  for (const externalId of new Set(contacts.values()))
    await store.forget(tenantId, subjectRef(externalId))
}

/** Erases a contact in telemetry, with everything that telemetry has of them. */
export async function forgetInTelemetry(
  { config }: Pick<MailerContext, 'config'>,
  externalId: string
): Promise<void> {
  const { telemetry } = config
  if (telemetry !== undefined)
    await telemetry.store.forget(telemetry.tenantId, subjectRef(externalId))
}
