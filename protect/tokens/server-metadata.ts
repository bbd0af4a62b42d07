// The metadata of the authorization server (RFC 8414): where its key set and its introspection are.
import { VerifierUnavailable } from '../errors.ts'
import type { FetchJson } from './outbound.ts'
import { createRenewed } from './renewed.ts'

/** The address of an endpoint. @throws VerifierUnavailable when it cannot be found */
export type FindEndpoint = (name: 'jwks_uri' | 'introspection_endpoint') => Promise<string>

export function createFindEndpoint(
  issuer: string,
  fetchJson: FetchJson,
  now: () => Date
): FindEndpoint {
  const { origin, pathname, protocol } = new URL(issuer)
  const path = pathname === '/' ? '' : pathname
  const url = `${origin}/.well-known/oauth-authorization-server${path}`
  const metadata = createRenewed(async () => {
    const document = await fetchJson(url)
    // Else one server could speak for another (RFC 8414 §3.3).
    if (document['issuer'] === issuer) return document
    throw new VerifierUnavailable(`${url} is the metadata of another issuer.`)
  }, now)
  return async (name) => {
    const address = (await metadata.get())[name]
    const isAddress = typeof address === 'string' && URL.canParse(address)
    if (isAddress && ['https:', protocol].includes(new URL(address).protocol)) return address
    throw new VerifierUnavailable(`${url} has no ${name} that can be used.`)
  }
}
