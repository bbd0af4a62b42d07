// Counts what happened to mails by the hour, from the feed of outcomes: for the dashboard.

import type { AnyBulkWriteOperation, ClientSession } from 'mongodb'
import type { MailOutcomeType } from '../../contracts/mailer-core.ts'
import type { MailerContext } from '../context.ts'
import { groupedBy } from '../grouped-by.ts'
import type { BroadcastHourRow, HourCounts, HourRow } from '../hour-row.ts'
import { firstOfMail } from './first-of-mail.ts'
import type { FeedReader } from './follow-outcomes.ts'
import type { PlacedRow } from './read-outcomes.ts'

const COUNTED: { readonly [type in MailOutcomeType]?: keyof HourCounts } = {
  accepted: 'sent',
  delivered: 'delivered',
  soft_bounce: 'bounced',
  hard_bounce: 'bounced',
  send_failed: 'failed'
}
/** `2026-11-23T01` */
const HOUR_LENGTH = 13

type Counted = readonly [field: keyof HourCounts, row: PlacedRow]

/** The id of the hour that a time is in. */
export const hourOf = (time: Date): string => time.toISOString().slice(0, HOUR_LENGTH)

/** Adds what is new in the feed to the hours. */
export const hourCounts = (context: MailerContext): FeedReader => ({
  name: 'hours',
  count: (rows, session) => addToHours(context, rows, session)
})

async function addToHours(
  context: MailerContext,
  rows: readonly PlacedRow[],
  session: ClientSession
): Promise<void> {
  const as =
    (field: keyof HourCounts) =>
    (row: PlacedRow): Counted => [field, row]
  const first = (type: 'open' | 'click', byPeople: boolean) =>
    firstOfMail(context, rows, { type, byPeople })
  const counted: readonly Counted[] = [
    ...rows.flatMap((row): Counted[] => {
      const field = COUNTED[row.type]
      return field === undefined ? [] : [[field, row]]
    }),
    ...(await first('open', false)).map(as('opened')),
    ...(await first('open', true)).map(as('openedByPeople')),
    ...(await first('click', true)).map(as('clicked'))
  ]
  const hours = groupedBy(counted, ([, { occurredAt }]) => hourOf(occurredAt))
  const operations = [...hours].map(([hour, own]) => additionOf(hour, own))
  const { hours: rowsOfHours, broadcastHours } = context.collections
  if (operations.length > 0) await rowsOfHours.bulkWrite(operations, { session })
  const ofBroadcasts = broadcastAdditions(counted)
  if (ofBroadcasts.length > 0) await broadcastHours.bulkWrite(ofBroadcasts, { session })
}

/** The same for each broadcast, and the minutes in which its mails left. */
function broadcastAdditions(
  counted: readonly Counted[]
): readonly AnyBulkWriteOperation<BroadcastHourRow>[] {
  const own = counted.filter(([, { broadcastSlug }]) => broadcastSlug != null)
  const hours = groupedBy(
    own,
    ([, { broadcastSlug, occurredAt }]) => `${broadcastSlug}:${hourOf(occurredAt)}`
  )
  return [...hours].map(([_id, group]) => {
    const sums: Record<string, number> = {}
    const add = (name: string) => {
      sums[name] = (sums[name] ?? 0) + 1
    }
    for (const [field, { occurredAt }] of group) {
      add(field)
      if (field === 'sent') add(`minutes.${occurredAt.toISOString().slice(14, 16)}`)
    }
    const $setOnInsert = { at: new Date(`${_id.slice(-HOUR_LENGTH)}:00:00Z`) }
    return { updateOne: { filter: { _id }, update: { $inc: sums, $setOnInsert }, upsert: true } }
  })
}

function additionOf(_id: string, counted: readonly Counted[]): AnyBulkWriteOperation<HourRow> {
  const sums: Record<string, number> = {}
  const latest: Record<string, Date> = {}
  const add = (prefix: string, [field, { occurredAt }]: Counted) => {
    const [sum, mark] = [prefix + field, prefix + MARKS[field]]
    sums[sum] = (sums[sum] ?? 0) + 1
    if (field in MARKS && !((latest[mark] ?? new Date(0)) >= occurredAt)) latest[mark] = occurredAt
  }
  for (const one of counted) {
    const [field, { provider }] = one
    add('', one)
    if (BY_PROVIDER.has(field) && PLAIN_NAME.test(provider)) add(`providers.${provider}.`, one)
  }
  const $setOnInsert = { at: new Date(`${_id}:00:00Z`) }
  const update = { $inc: sums, $max: latest, $setOnInsert }
  return { updateOne: { filter: { _id }, update, upsert: true } }
}

const BY_PROVIDER: ReadonlySet<keyof HourCounts> = new Set([
  'sent',
  'delivered',
  'bounced',
  'failed'
])
/** A name that is a field of a row. */
const PLAIN_NAME = /^[^.$]+$/

const MARKS: { readonly [field in keyof HourCounts]?: 'lastSentAt' | 'lastFailedAt' } = {
  sent: 'lastSentAt',
  failed: 'lastFailedAt',
  bounced: 'lastFailedAt'
}
