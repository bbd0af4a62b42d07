// What an ingest needs, on a plain database with a clock that only tests move.
import { runTransaction } from '@keelson/sdk'
import type { Db, MongoClient } from 'mongodb'
import type { DmarcConfig } from '../config/schema.ts'
import { createReader } from '../reading/reader.ts'
import { openCollections } from '../storage/collections.ts'

/** The database, a reader that no thread was started for yet, and a clock that `pass` moves. */
export function ingestContext({ db, client }: { readonly db: Db; readonly client: MongoClient }) {
  let now = new Date('2026-11-23T12:00:00Z')
  const context = {
    collections: openCollections({ collection: (name) => db.collection(name) as never }),
    clock: { now: () => now },
    config: { retentionDays: 90 } as DmarcConfig,
    reader: createReader(),
    withTransaction: <T>(work: Parameters<typeof runTransaction<T>>[1]) =>
      runTransaction(client, work)
  }
  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms)
  }
  return { context, pass }
}
