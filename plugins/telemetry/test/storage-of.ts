// The storage of an instance on a database, without a host.
import { runTransaction } from '@keelson/sdk'
import type { Db, Document } from 'mongodb'
import { storageOfHost, type TelemetryStorage } from '../storage/storage.ts'

export const storageOf = (db: Db): TelemetryStorage =>
  storageOfHost({
    collection: <T extends Document>(name: string) => db.collection<T>(name),
    withTransaction: (fn) => runTransaction(db.client, fn)
  })
