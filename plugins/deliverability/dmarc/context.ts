// What the parts of the plugin share.
import type { Clock, Host } from '@keelson/sdk'
import type { DmarcConfig } from './config/schema.ts'
import type { Reader } from './reading/reader.ts'
import type { KnownSource } from './sources/source-tags.ts'
import type { DmarcCollections } from './storage/collections.ts'

export interface DmarcContext {
  readonly config: DmarcConfig
  readonly collections: DmarcCollections
  readonly clock: Clock
  readonly reader: Reader
  /** The sources of the config, read. */
  readonly knownSources: readonly KnownSource[]
  readonly withTransaction: Host['withTransaction']
}
