// Ends transactions of killed processes, which would block the documents they wrote for a minute by default.
import { type ClientSession, type Collection, type MongoClient, UUID } from 'mongodb'

/** A session that a process writes with, and when it was noted. */
export interface SessionNote {
  readonly _id: string
  readonly at: Date
}

/** Call it first in every try of a transaction. */
export type Follow = (session: ClientSession, now: Date) => Promise<void>

/** Ends what blocks the transactions of this process; made by `createBlockedTransactions`. */
export interface BlockedTransactions {
  /**
   * Begins a transaction with all its tries. When they go on for longer than a living process holds a
   * document, the transactions of all other processes that have noted their sessions lately are ended: those
   * that live try again at once (error 11601). Not before, because sessions are shared with everything else
   * that those processes do.
   */
  begin(): Follow
}

/** `$` is never first in a checkpoint of a host. */
const PREFIX = '$writer:'
const AFTER_PREFIX = '$writer;'
const MOST_SESSIONS = 200
const REMEMBERED_MS = 86_400_000
/** A process is young as long as the transaction of one that was killed before it can last. */
const YOUNG_MS = 60_000
const PATIENCE_MS = { young: 300, old: 2000 } as const
/** Between one end of the others and the next. */
const REST_MS = 10_000

const WRITERS = { _id: { $gte: PREFIX, $lt: AFTER_PREFIX } }
const longAgo = (now: Date) => new Date(now.getTime() - REMEMBERED_MS)

/**
 * Makes the guard of short transactions that several processes run on the same documents. MongoDB keeps the
 * transaction of a process that was killed open for a minute by default, and every other write to its documents
 * waits. This ends it with `killSessions`, which a user may always do for sessions in its own name; where that is
 * not allowed, the wait stays.
 *
 * @param notes where the processes note their sessions, under ids that begin with `$writer:`.
 */
export function createBlockedTransactions<Note extends SessionNote>(
  notes: Collection<Note>
): BlockedTransactions {
  const checkpoints = notes as unknown as Collection<SessionNote>
  /** Sessions of this process, and when they were noted. */
  const own = new Map<string, number>()
  const createdAt = performance.now()
  let endedAt = Number.NEGATIVE_INFINITY

  async function note(id: string, now: Date): Promise<void> {
    const isFirst = own.size === 0
    await checkpoints.updateOne({ _id: PREFIX + id }, { $set: { at: now } }, { upsert: true })
    own.set(id, now.getTime())
    if (isFirst) await checkpoints.deleteMany({ ...WRITERS, at: { $lt: longAgo(now) } })
  }

  return {
    begin() {
      const startedAt = performance.now()
      return async (session, now) => {
        const id = hexOf(session)
        if (id === undefined) return
        const notedAt = own.get(id) ?? Number.NEGATIVE_INFINITY
        if (now.getTime() - notedAt > REMEMBERED_MS / 2) await note(id, now)
        const at = performance.now()
        const age = at - createdAt < YOUNG_MS ? 'young' : 'old'
        if (at - startedAt < PATIENCE_MS[age] || at - endedAt < REST_MS) return
        endedAt = at
        await endOthers(checkpoints, session, own, now)
      }
    }
  }
}

async function endOthers(
  checkpoints: Collection<SessionNote>,
  session: ClientSession,
  own: ReadonlyMap<string, number>,
  now: Date
): Promise<void> {
  const lately = { ...WRITERS, at: { $gte: longAgo(now) } }
  const found = await checkpoints.find(lately).limit(MOST_SESSIONS).toArray()
  const ids = found.map(sessionIdOf).filter((id) => !own.has(id))
  if (ids.length === 0) return
  // Not being allowed to is no reason not to write.
  await clientOfSession(session)
    .db('admin')
    .command({ killSessions: ids.map((id) => ({ id: new UUID(id) })) })
    .catch(() => undefined)
}

const sessionIdOf = ({ _id }: SessionNote) => _id.slice(PREFIX.length)

/** The client of a session, which the driver's types leave out. */
const clientOfSession = (session: ClientSession): MongoClient =>
  (session as unknown as { readonly client: MongoClient }).client

/** The server's name of a session, as hex digits. */
function hexOf(session: ClientSession): string | undefined {
  const id: unknown = session.id?.id
  const bytes = (id as { readonly buffer?: Uint8Array } | undefined)?.buffer
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('hex')
}
