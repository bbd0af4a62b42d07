// The collections of telemetry as a command gets them.
import type { CommandHost } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import { collectionsFrom, type TelemetryStorage } from '../storage/storage.ts'

/** The storage of a command: everything but saved views, which another plugin owns. */
export const storageOfCommand = (host: CommandHost): TelemetryStorage => ({
  collections: collectionsFrom((name) => host.collection(name) as Collection, 'telemetry'),
  transaction: (fn) => host.withTransaction(fn)
})
