// A client of the FAPI 2.0 security profile: pushed requests, signed assertions, tokens bound to a key.
import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import {
  type Answer,
  CALLBACK,
  challengeOf,
  type Form,
  formOf,
  ISSUER,
  type Running,
  random
} from './flow.ts'

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Changes of a JWT: claims, and its header. */
export interface Changed {
  readonly claims?: JWTPayload
  readonly header?: object
}

async function signer(alg: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = await exportJWK(publicKey)
  return {
    jwk,
    sign: (claims: JWTPayload, header: object) =>
      new SignJWT(claims).setProtectedHeader({ alg, ...header }).sign(privateKey)
  }
}

interface Registered {
  readonly running: Running
  readonly clientId: string
  readonly own: Signer
  readonly key: Signer
}

type Signer = Awaited<ReturnType<typeof signer>>

/** What the client signs: assertions and proofs. */
function signing({ running, clientId, own, key }: Registered) {
  const seconds = () => Math.floor(running.clock.now().getTime() / 1000)
  return {
    seconds,
    async proven({ claims, header }: Changed = {}): Promise<Form> {
      const who = { iss: clientId, sub: clientId, aud: ISSUER }
      const about = { ...who, iat: seconds(), exp: seconds() + 60, jti: random(), ...claims }
      const client_assertion = await own.sign(about, { kid: 'own', ...header })
      return { client_assertion_type: TYPE, client_assertion }
    },
    proof: (path: string, htm: string, { claims, header }: Changed = {}): Promise<string> =>
      key.sign(
        { jti: random(), iat: seconds(), htm, htu: `${ISSUER}${path}`, ...claims },
        { typ: 'dpop+jwt', jwk: key.jwk, ...header }
      )
  }
}

type Signing = ReturnType<typeof signing>

/** From a pushed request to a code, with the person's answer. */
function asking({ running, clientId }: Registered, { proven }: Signing) {
  const verifier = random()
  const request = (more: Form = {}): Form => ({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'openid offline_access read',
    state: 'a state',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    ...more
  })
  const par = async (more?: Form, assertion?: Form, headers = {}): Promise<Answer> =>
    running.call('POST', '/oauth/par', {
      form: { ...request(more), ...(assertion ?? (await proven())) },
      headers
    })
  const authorize = (request_uri: string, more: Form = {}): Promise<Answer> => {
    const query = formOf({ client_id: clientId, request_uri, ...more })
    return running.call('GET', `/oauth/authorize?${query}`, { headers: { 'x-user': 'u1' } })
  }
  const decide = async (first: Answer, approve: boolean): Promise<URL> => {
    const { searchParams } = new URL(String(first.headers['location']), ISSUER)
    const [cookie = ''] = String([first.headers['set-cookie']].flat()[0]).split(';')
    const path = `/oauth/consent/${searchParams.get('request_id')}`
    const headers = { 'x-user': 'u1', cookie, origin: ISSUER }
    const { json } = await running.call('POST', path, { json: { approve }, headers })
    return new URL(json.redirectTo)
  }
  const code = async (more?: Form): Promise<string> => {
    const { json } = await par(more)
    const back = await decide(await authorize(json.request_uri), true)
    return back.searchParams.get('code') ?? `none: ${back}`
  }
  return { verifier, request, par, authorize, decide, code }
}

/** What a token request brings besides its form; `dpop: null` brings no proof. */
interface Given {
  readonly assertion?: Form
  readonly dpop?: string | null
}

/** From a code to the resource. */
function using({ running }: Registered, { proven, proof }: Signing, code_verifier: string) {
  const token = async (form: Form, { assertion, dpop }: Given = {}): Promise<Answer> => {
    const shown = assertion ?? (await proven())
    const signed = dpop === undefined ? await proof('/oauth/token', 'POST') : dpop
    const headers: Record<string, string> = signed === null ? {} : { dpop: signed }
    return running.call('POST', '/oauth/token', { form: { ...form, ...shown }, headers })
  }
  const redirect_uri = CALLBACK
  const grant_type = 'authorization_code'
  return {
    token,
    redeem: (code: string, more: Form = {}, given?: Given) =>
      token({ grant_type, redirect_uri, code_verifier, code, ...more }, given),
    /** A call of the resource with a token and a proof of it. */
    async call(access_token: string, changed: Changed = {}, headers: Record<string, string> = {}) {
      const ath = createHash('sha256').update(access_token).digest('base64url')
      const claims = { ath, ...changed.claims }
      const dpop = await proof('/api/read', 'GET', { ...changed, claims })
      const all = { authorization: `DPoP ${access_token}`, dpop, ...headers }
      return running.call('GET', '/api/read', { headers: all })
    }
  }
}

/** One such client and the browser of one person. */
export async function fapiClient(running: Running, alg = 'ES256') {
  const [own, key] = await Promise.all([signer(alg), signer(alg)])
  const { clientId } = await running.client({
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys: [{ ...own.jwk, kid: 'own' }] },
    requirePushedAuthorizationRequests: true,
    dpopBoundAccessTokens: true,
    rotateRefreshTokens: false
  })
  const registered = { running, clientId, own, key }
  const signs = signing(registered)
  const asks = asking(registered, signs)
  const jkt = () => calculateJwkThumbprint(key.jwk)
  return { clientId, jkt, ...signs, ...asks, ...using(registered, signs, asks.verifier) }
}

export type FapiClient = Awaited<ReturnType<typeof fapiClient>>
