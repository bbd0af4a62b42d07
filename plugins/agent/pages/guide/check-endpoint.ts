// Asks the MCP endpoint as an assistant would at its first contact: without a token.
import { initializeMessage } from './client-settings.ts'

/** What the endpoint answered. */
export type EndpointCheck =
  | { readonly kind: 'answers' }
  | { readonly kind: 'unexpected'; readonly status: number }

/** Who signs people in for the endpoint, and whether assistants can register there by themselves. */
export interface SignInServer {
  readonly issuer: string
  readonly registersClients: boolean
}

const json = async (url: string, signal: AbortSignal): Promise<Record<string, unknown>> => {
  const response = await fetch(url, { signal, credentials: 'omit' })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.json()) as Record<string, unknown>
}

/** The endpoint must ask for a token. */
export async function checkEndpoint(url: string, signal: AbortSignal): Promise<EndpointCheck> {
  const response = await fetch(url, {
    method: 'POST',
    signal,
    credentials: 'omit',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream'
    },
    body: JSON.stringify(initializeMessage)
  })
  return response.status === 401
    ? { kind: 'answers' }
    : { kind: 'unexpected', status: response.status }
}

/** Follows the metadata of the endpoint to that of its authorization server (RFC 9728, RFC 8414). */
export async function readSignIn(mcpUrl: string, signal: AbortSignal): Promise<SignInServer> {
  const endpoint = new URL(mcpUrl)
  const metadata = `${endpoint.origin}/.well-known/oauth-protected-resource${endpoint.pathname}`
  const resource = await json(metadata, signal)
  const issuer = String((resource['authorization_servers'] as unknown[] | undefined)?.[0] ?? '')
  const { origin, pathname } = new URL(issuer)
  const path = pathname === '/' ? '' : pathname
  const server = await json(`${origin}/.well-known/oauth-authorization-server${path}`, signal)
  return { issuer, registersClients: typeof server['registration_endpoint'] === 'string' }
}
