// Transactions as plugins get them: majority, journaled, retried by the driver on conflict.
import type { ClientSession, MongoClient } from 'mongodb'

/** Runs `fn` in a transaction. It may run more than once; it must not swallow the driver's errors. */
export function runTransaction<T>(
  client: MongoClient,
  fn: (session: ClientSession) => Promise<T>
): Promise<T> {
  return client.withSession((session) =>
    session.withTransaction(() => fn(session), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
      readPreference: 'primary'
    })
  )
}
