// A request that a person looks at, and their approval of it.
import type { Origin } from '../audit/journal.ts'
import type { OAuthUser } from '../config/host-code.ts'
import type { OAuthRequest } from '../storage/rows.ts'
import type { ConsentDecision } from './read-decision.ts'

export interface OpenRequest {
  readonly row: OAuthRequest
  readonly user: OAuthUser
}

export interface Approval extends OpenRequest {
  readonly decision: ConsentDecision
  /** When it was decided. */
  readonly since: Date
  readonly origin: Origin
  readonly isTrusted: boolean
}
