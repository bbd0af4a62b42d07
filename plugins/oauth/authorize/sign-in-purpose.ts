// The application behind a sign-in, read from the address that the sign-in leads back to.
import type { SignInPurpose } from '@keelson/sdk/contracts/sign-in-purpose'
import { type Logo, logoOf } from '../clients/logos.ts'
import { redirectTarget } from '../clients/redirect-uris.ts'
import type { Services } from '../services.ts'
import type { OAuthClient } from '../storage/rows.ts'
import { readLoginMarker } from './login.ts'
import { type Parameters, queryOf, readParameters } from './parameters.ts'
import { findPushed, PUSHED_PREFIX } from './pushed.ts'

type Parts = Pick<Services, 'settings' | 'secret' | 'collections'>

/**
 * The application that asks, when `next` is a request that this server sent to the sign-in page within the
 * last 30 minutes; otherwise undefined. So no link to the sign-in page can name an application by itself.
 */
export async function signInPurposeOf(
  next: string,
  parts: Parts
): Promise<SignInPurpose | undefined> {
  const { base, issuerOrigin } = parts.settings
  if (!URL.canParse(next, issuerOrigin)) return undefined
  const { origin, pathname } = new URL(next, issuerOrigin)
  const path = `${new URL(base).pathname.replace(/\/$/, '')}/authorize`
  if (origin !== issuerOrigin || pathname !== path) return undefined
  const parameters = readParameters(queryOf(next))
  if (parameters === undefined) return undefined
  const client = await clientOfTrip(parameters, parts)
  if (client === undefined) return undefined
  const { name, branding } = client
  return {
    name,
    host: await hostOf(client, parameters, parts),
    ...(branding?.logoUrl !== undefined && { logo: `${path}/logo?${queryOf(next)}` })
  }
}

/** The logo of the application behind a sign-in; the parameters are those of the way back. */
export async function signInLogo(
  parameters: Parameters,
  parts: Parts & Pick<Services, 'logos'>
): Promise<Logo | undefined> {
  const client = await clientOfTrip(parameters, parts)
  return client && logoOf(client, parts)
}

async function clientOfTrip(
  parameters: Parameters,
  parts: Parts
): Promise<OAuthClient | undefined> {
  const clientId = parameters.get('client_id')
  if (clientId === undefined || (await readLoginMarker(parameters, parts)) === undefined) {
    return undefined
  }
  const client = await parts.collections.clients.findOne({ clientId, status: 'active' })
  return client ?? undefined
}

/** The host that vouches for the client, else the one that its answer goes to. */
async function hostOf(
  { clientId, registration, redirectUris }: OAuthClient,
  parameters: Parameters,
  parts: Parts
): Promise<string> {
  if (registration === 'cimd') return new URL(clientId).host
  const handle = parameters.get('request_uri')
  const isPushed = handle?.startsWith(PUSHED_PREFIX) === true
  const request = isPushed ? await findPushed(handle, clientId, parts) : parameters
  return redirectTarget(request?.get('redirect_uri') ?? redirectUris[0] ?? parts.settings.base).host
}
