// A host without HTTP in between, a client and a person, for measurements of the OAuth host.
import { createHash, randomBytes } from 'node:crypto'
import { createOAuthHost, type OAuthHost, type OAuthHostConfig } from '@keelson/oauth'
import Fastify from 'fastify'
import type { Db } from 'mongodb'

export const ISSUER = 'http://127.0.0.1:1'
const CALLBACK = 'https://app.example.test/cb'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const random = (): string => randomBytes(32).toString('base64url')

export interface BenchActor {
  readonly host: OAuthHost
  readonly clientId: string
  toCode(): Promise<{ readonly code: string; readonly verifier: string }>
  token(
    fields: Readonly<Record<string, string>>
  ): Promise<{ access_token: string; refresh_token: string }>
  exchange(pair: {
    readonly code: string
    readonly verifier: string
  }): ReturnType<BenchActor['token']>
  close(): Promise<void>
}

export async function startActor(db: Db, more: Partial<OAuthHostConfig> = {}): Promise<BenchActor> {
  const host = createOAuthHost({
    issuer: ISSUER,
    connection: db,
    resources: [{ id: `${ISSUER}/api`, scopes: ['read'] }],
    scopes: ['openid', 'read'],
    consentUrl: '/consent',
    resolveUser: () => ({ id: 'u1' }),
    loadUser: (id) => ({ id }),
    signing: { autoGenerate: true },
    rateLimits: { token: false, authorize: false, consent: false },
    ...more
  })
  await host.syncIndexes()
  const app = Fastify()
  app.register(host.routes.oauth, { prefix: '/oauth' })
  const fields = { name: 'Bench', redirectUris: [CALLBACK], allowedScopes: ['openid', 'read'] }
  const { clientId, clientSecret = '' } = await host.clients.create(fields)
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const token: BenchActor['token'] = async (form) => {
    const payload = new URLSearchParams(form).toString()
    const headers = { ...FORM, authorization }
    const answer = await app.inject({ method: 'POST', url: '/oauth/token', headers, payload })
    if (answer.statusCode !== 200) throw new Error(answer.payload)
    return answer.json()
  }
  return {
    host,
    clientId,
    token,
    async toCode() {
      const verifier = random()
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const query = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: CALLBACK,
        scope: 'openid read',
        code_challenge: challenge,
        code_challenge_method: 'S256'
      }
      const asked = await app.inject(`/oauth/authorize?${new URLSearchParams(query)}`)
      const id = new URL(String(asked.headers.location), ISSUER).searchParams.get('request_id')
      const [cookie = ''] = String(asked.headers['set-cookie']).split(';')
      const decided = await app.inject({
        method: 'POST',
        url: `/oauth/consent/${id}`,
        headers: { cookie, origin: ISSUER },
        payload: { approve: true }
      })
      const back = new URL(decided.json<{ redirectTo: string }>().redirectTo)
      return { code: back.searchParams.get('code') ?? '', verifier }
    },
    exchange: ({ code, verifier }) =>
      token({
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: CALLBACK
      }),
    close: () => app.close()
  }
}
