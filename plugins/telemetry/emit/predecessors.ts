// Ends what a killed process left behind. Its open transaction would hold rollup documents until the server's
// own limit, a minute by default, and all that time nobody could add to them.
import { type ClientSession, UUID } from 'mongodb'
import type { StorageCollections, StoredCheckpoint } from '../storage/storage.ts'
import { clientOfSession } from './session-client.ts'

export interface Predecessors {
  /**
   * Call it first in every transaction. The first call of a process ends the transactions of all others
   * that have written lately: those that live try again at once.
   */
  follow(session: ClientSession, now: Date): Promise<void>
}

/** `$` is never first in a checkpoint of a host. */
const PREFIX = '$writer:'
const AFTER_PREFIX = '$writer;'
const MOST_SESSIONS = 200
const REMEMBERED_MS = 86_400_000

export function createPredecessors(checkpoints: StorageCollections['checkpoints']): Predecessors {
  const own = new Set<string>()
  let first: Promise<void> | undefined

  async function note(id: string, now: Date): Promise<void> {
    own.add(id)
    await checkpoints.updateOne({ _id: PREFIX + id }, { $set: { at: now } }, { upsert: true })
  }

  return {
    async follow(session, now) {
      const id = hexOf(session)
      if (id === undefined) return
      first ??= endOthers(checkpoints, session, id, now)
      await first
      if (!own.has(id)) await note(id, now)
    }
  }
}

async function endOthers(
  checkpoints: StorageCollections['checkpoints'],
  session: ClientSession,
  ownId: string,
  now: Date
): Promise<void> {
  const writers = { _id: { $gte: PREFIX, $lt: AFTER_PREFIX } }
  const oldest = new Date(now.getTime() - REMEMBERED_MS)
  const found = await checkpoints.find(writers).limit(MOST_SESSIONS).toArray()
  const ids = found.map(sessionIdOf).filter((id) => id !== ownId)
  if (ids.length === 0) return
  // Not being allowed to is no reason not to write.
  await clientOfSession(session)
    .db('admin')
    .command({ killSessions: ids.map((id) => ({ id: new UUID(id) })) })
    .catch(() => undefined)
  await checkpoints.deleteMany({ ...writers, at: { $lt: oldest } })
}

const sessionIdOf = ({ _id }: StoredCheckpoint) => _id.slice(PREFIX.length)

/** The server's name of a session, as hex digits. */
function hexOf(session: ClientSession): string | undefined {
  const id: unknown = session.id?.id
  const bytes = (id as { readonly buffer?: Uint8Array } | undefined)?.buffer
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('hex')
}
