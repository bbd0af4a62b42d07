// A platform with people whom a test moves, on which administrators make agent tokens.
import { createMailerPlugin, createMemoryAdapter } from '@keelson/mailer'
import { type MailerCore, mailerContacts, mailerCore } from '@keelson/mailer/contracts'
import { definePlugin, type Viewer } from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import { createTestHost } from '@keelson/sdk/testing'
import type { Test } from 'tap'
import type { FreshTokenAnswer, TokensAnswer } from '../operations/token-operations.ts'
import agentPlugin from '../plugin.ts'

const person = (tenantId: string, name: string, role = 'admin'): Viewer => ({
  tenantId,
  role,
  viewerRef: `user:${name}`,
  email: `${name}@${tenantId === '*' ? 'root' : tenantId}.test`
})

export const ROOT = person('*', 'root')
export const ANN = person('acme', 'ann')
export const BEA = person('acme', 'bea')
/** May read and not publish. */
export const REA = person('acme', 'rea')
export const GIL = person('globex', 'gil')
/** Of a tenant that the config does not name. */
export const OUT = person('initech', 'out')
export const VIC = person('acme', 'vic', 'viewer')

export const CONFIGURED = 'a-token-of-the-config-0001'

const manifest = {
  manifestVersion: 1,
  version: '1.0.0',
  kernel: '*',
  description: 'Beside the agent API.',
  license: 'MIT'
} as const

const contacts = definePlugin({
  manifest: { ...manifest, id: 'people', name: 'People', provides: ['mailer.contacts/v1'] },
  register: (host) =>
    host.provide(
      mailerContacts,
      createMemoryAdapter([
        { externalId: 't1', email: 't1@example.test', tags: [], fields: {} },
        { externalId: 'p1', email: 'p1@elsewhere.test', tags: [], fields: {} }
      ])
    )
})

/** Knows people by their ref, until a test removes one. */
const directoryOf = (people: Map<string | undefined, Viewer>) =>
  definePlugin({
    manifest: { ...manifest, id: 'directory', name: 'Directory', provides: [authViewer.id] },
    register: (host) =>
      host.provide(authViewer, {
        resolveViewer: () => null,
        loadViewer: (ref) => people.get(ref) ?? null
      })
  })

/** Lets a test ask the mailer as a plugin asks it. */
const peekAt = (seen: { mailer?: MailerCore }) =>
  definePlugin({
    manifest: { ...manifest, id: 'peek', name: 'Peek', uses: ['mailer.core/v1'] },
    register(host) {
      seen.mailer = host.use(mailerCore)
    }
  })

/** The platform, and what a test drives it with. */
export async function tokenPlatform(
  t: Test,
  { viewer = ANN, now = new Date('2030-01-01T00:00:00Z') } = {}
) {
  const all = [ROOT, ANN, BEA, REA, GIL, OUT, VIC]
  const people = new Map(all.map((one) => [one.viewerRef, one]))
  const readers = new Set([REA.viewerRef])
  const adminTenants = ['acme', 'globex']
  const seen: { mailer?: MailerCore } = {}
  const mailer = createMailerPlugin({
    permissions: ({ viewerRef }) => ({
      canPublish: !readers.has(viewerRef),
      canSendBroadcasts: true,
      canManageSuppressions: true
    })
  })
  const host = await createTestHost({
    plugin: agentPlugin,
    plugins: [mailer, contacts, directoryOf(people), peekAt(seen)],
    viewer,
    now,
    config: {
      tokens: [{ token: CONFIGURED, actor: 'agent:config' }],
      testContacts: '@example\\.test$',
      adminTenants
    },
    platform: {
      plugins: {
        mailer: {
          config: {
            publicUrl: 'https://mail.example.test',
            unsubscribeSecret: 'the secret of a test',
            fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
            providers: { null: {} },
            adminTenants
          }
        }
      }
    }
  })
  t.teardown(() => host.close())
  /** As a person, or as none with null. */
  const as =
    (who: Viewer | null) =>
    async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) => {
      host.signIn(who)
      const url = `/agent/admin/tokens${path}`
      const reply = await host.app.inject({ method, url, ...(payload && { payload }) })
      // biome-ignore lint/suspicious/noExplicitAny: a reply of any shape, looked at by assertions
      return { status: reply.statusCode, body: reply.json() as any, headers: reply.headers }
    }
  const make = async (more: object = {}, who = ANN): Promise<FreshTokenAnswer> => {
    const asked = { name: 'Deploy bot', scopes: ['mail:write'], ...more }
    const { status, body } = await as(who)('POST', '', asked)
    t.equal(status, 201, JSON.stringify(body))
    return body
  }
  const list = async (who = ANN) => (await as(who)('GET', '')).body as TokensAnswer
  /** What the agent API answers to a token. */
  const use = async (token: string, path = '', method: 'GET' | 'POST' = 'GET') => {
    const headers = { authorization: `Bearer ${token}` }
    const reply = await host.app.inject({ method, url: `/agent${path}`, headers })
    return { status: reply.statusCode, body: reply.json() }
  }
  /** Whether a broadcast that a token let send may go on. */
  const maySend = (token: string) =>
    seen.mailer?.as({ tenantId: '*', token, name: token, via: 'broadcast:spring' }).allowed()
  return { ...host, maySend, people, readers, as, make, list, use }
}
