// A request to the token endpoint after its client was authenticated.
import type { Origin } from '../audit/journal.ts'
import type { OAuthClient } from '../storage/rows.ts'

export interface TokenRequest {
  readonly client: OAuthClient
  readonly form: ReadonlyMap<string, string>
  readonly resources: readonly string[]
  /** Thumbprint of the key that a DPoP proof was made with. */
  readonly jkt: string | undefined
  readonly origin: Origin
}
