// What the store of clients works with.
import type { Journal } from '../audit/journal.ts'
import type { Settings } from '../config/settings.ts'
import type { Revocations } from '../grants/revocations.ts'
import type { OAuthCollections } from '../storage/collections.ts'

export interface StoreParts {
  readonly settings: Settings
  readonly collections: OAuthCollections
  readonly revocations: Revocations
  readonly journal: Journal
  /** False for an administrator of a tenant. Default: true. */
  readonly isPlatform?: boolean
  /** True for a client that changes its own registration. Default: an administrator. */
  readonly isClient?: boolean
}
