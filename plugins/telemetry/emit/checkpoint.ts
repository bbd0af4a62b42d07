// Where a job of the host stopped.
import type { Collection } from 'mongodb'
import type { StoredCheckpoint } from '../storage/storage.ts'
import type { Checkpoint } from '../telemetry.ts'

/** A named time in the database. It may also be set back. */
export function checkpointOf(rows: Collection<StoredCheckpoint>, key: string): Checkpoint {
  return {
    async get() {
      const row = await rows.findOne({ _id: key })
      return row?.at ?? null
    },
    async advance(to) {
      await rows.updateOne({ _id: key }, { $set: { at: to } }, { upsert: true })
    }
  }
}
