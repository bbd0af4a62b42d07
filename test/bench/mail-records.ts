// A mailer's records in bulk, as they are after months: for the measurement of the lists of its admin API.
import type { Mailer } from '@keelson/mailer'

/** How many there are. */
export interface RecordSizes {
  readonly sends: number
  readonly contacts: number
}

interface Rows {
  insertMany(rows: readonly object[], options?: object): Promise<unknown>
}

const CHUNK = 5_000
const MINUTE = 60_000
const TEMPLATES = 20
/** Transactional mails, the oldest: a filter that has no index reads all others first. */
const RARE = 100
/** Statuses, and the letters of what a mail has reached then. */
const STATUSES = [
  ['delivered', 'hd'],
  ['opened', 'hdo'],
  ['clicked', 'hdoc'],
  ['bounced', 'hb'],
  ['sent', 'h'],
  ['failed', 'F'],
  ['suppressed', 'S']
] as const
const ACTIONS = ['template.publish', 'flow.pause', 'broadcast.schedule', 'suppression.add']

/** The id of a row: 24 digits, in order. */
export const rowId = (at: number): string => at.toString(16).padStart(24, '0')

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T
const contactOf = (at: number) => ({
  _id: `c${at}`,
  email: `person${at}@example.test`,
  tags: at % 5 === 0 ? ['vip'] : [],
  firstName: `Person ${at}`
})

/** Adds mails, contacts with subscriptions, suppressions, runs and audit entries; newest last. */
export async function addRecords(
  mailer: Pick<Mailer, 'db' | 'collections'>,
  { sends, contacts }: RecordSizes
): Promise<void> {
  const { collections } = mailer
  const start = Date.now() - sends * 1_000
  const time = (at: number) => new Date(start + at * 1_000)
  await fill(mailer.db.collection('people') as Rows, contacts, contactOf)
  await fill(collections.subscriptions as never, contacts, (at) => ({
    _id: rowId(at),
    externalId: `c${at}`,
    status: at % 10 === 0 ? 'unsubscribed' : 'subscribed',
    source: 'bench',
    createdAt: time(at),
    updatedAt: time(at)
  }))
  await fill(collections.sends as never, sends, (at) => sendOf(at, contacts, time(at)))
  await fill(collections.suppressions as never, Math.ceil(contacts / 4), (at) => ({
    _id: rowId(at),
    email: `blocked${at}@example.test`,
    emailHash: rowId(at),
    scope: pick(['all', 'marketing'], at),
    reason: pick(['hard_bounce', 'manual', 'unsubscribed'], at),
    addedAt: time(at),
    expiresAt: null
  }))
  await fill(collections.flowRuns as never, contacts, (at) => ({
    _id: rowId(at),
    flowId: 'flow',
    flowSlug: 'welcome',
    flowVersion: 1,
    externalId: `c${at}`,
    emailAtEntry: `person${at}@example.test`,
    triggerEvent: null,
    triggerDedupeKey: `run-${at}`,
    status: pick(['active', 'completed', 'exited'], at),
    path: String(at % 6),
    state: 'done',
    history: [],
    enteredAt: time(at)
  }))
  await fill(collections.auditLog as never, contacts, (at) => ({
    _id: rowId(at),
    at: time(at),
    actor: pick(['human:ann@acme.test', 'human:bob@acme.test'], at),
    action: pick(ACTIONS, at),
    resource: { collection: 'mailer_templates', slug: `template-${at % TEMPLATES}` }
  }))
}

function sendOf(at: number, contacts: number, queuedAt: Date): object {
  const contact = (at * 7_919) % contacts
  const sentAt = new Date(queuedAt.getTime() + MINUTE)
  const [status, progress] = pick(STATUSES, at)
  return {
    _id: rowId(at),
    lane: 'bulk',
    state: 'done',
    dedupeKey: `broadcast:cast:c${at}`,
    externalId: `c${contact}`,
    emailAtSend: `person${contact}@example.test`,
    toDomain: 'example.test',
    kind: at < RARE ? 'transactional' : 'marketing',
    templateSlug: `template-${at % TEMPLATES}`,
    ...(at % 10 === 0 && { broadcastId: 'cast', broadcastSlug: 'cast', arm: '' }),
    status,
    progress,
    handoff: 'sent',
    queuedAt,
    sentAt,
    handedAt: sentAt,
    provider: 'recording',
    providerMessageId: `message-${at}`,
    subject: `Subject ${at}`,
    from: { name: 'Acme', email: 'news@acme.test' }
  }
}

async function fill(rows: Rows, count: number, row: (at: number) => object): Promise<void> {
  for (let from = 0; from < count; from += CHUNK) {
    const length = Math.min(CHUNK, count - from)
    await rows.insertMany(
      Array.from({ length }, (_, at) => row(from + at)),
      { ordered: false }
    )
  }
}
