// The key sets of trusted issuers: at the configured address, else at that of the issuer's own metadata.
import { createBoundedMap } from '@keelson/sdk'
import type { TrustedIssuer } from '../config/settings.ts'
import type { FetchDocument } from './guarded-fetch.ts'

const FRESH_MS = 3_600_000
const FAILED_MS = 60_000
const MAX_KEPT = 100

interface Kept {
  readonly until: number
  readonly address: string | undefined
}

/** The address of an issuer's keys; undefined while its metadata cannot be read. */
export function createIssuerAddresses(
  fetchDocument: FetchDocument,
  { now }: { readonly now: () => Date }
): (issuer: TrustedIssuer) => Promise<string | undefined> {
  const kept = createBoundedMap<string, Kept>(MAX_KEPT)
  return async ({ issuer, jwksUri }) => {
    if (jwksUri !== undefined) return jwksUri
    const at = now().getTime()
    const known = kept.get(issuer)
    if (known !== undefined && at < known.until) return known.address
    const fetched = await fetchDocument(`${issuer}/.well-known/openid-configuration`)
    const address = fetched.kind === 'document' ? addressIn(fetched.json, issuer) : undefined
    kept.set(issuer, { until: at + (address === undefined ? FAILED_MS : FRESH_MS), address })
    return address
  }
}

/** A document of another issuer says nothing about this one. */
const addressIn = (
  { issuer, jwks_uri: address }: Readonly<Record<string, unknown>>,
  expected: string
): string | undefined => (issuer === expected && typeof address === 'string' ? address : undefined)
