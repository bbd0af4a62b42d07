// What is written together or not at all.
import type { StoredAlias, StoredReject } from '../storage/storage.ts'
import type { WriteItem } from './decide.ts'

export interface Parcel {
  readonly items: readonly WriteItem[]
  readonly rejects: readonly StoredReject[]
  readonly aliases: readonly StoredAlias[]
}
