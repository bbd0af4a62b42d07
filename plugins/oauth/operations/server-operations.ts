// Administration of the server: its audit, its signing keys, attempts to authorize, what clients may be given.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import type { Filter } from 'mongodb'
import { grantTypesOf } from '../clients/grant-types.ts'
import { textOfId } from '../config/person-id.ts'
import type { SigningAlg } from '../config/schema.ts'
import { errors } from '../errors.ts'
import { BODY_LIMIT } from '../routes/route.ts'
import { pageOf } from '../storage/page.ts'
import type { OAuthAudit } from '../storage/rows.ts'
import { namesOf } from '../users/names.ts'
import type { OwnPeople } from '../users/people-of-tenant.ts'
import { presetsFor } from '../vendors.ts'
import { administrator, id, limitParameter } from './admin-operation.ts'
import type { AdminHost, Administrator } from './administrator.ts'
import {
  attemptsAnswer,
  auditAnswer,
  keyAnswer,
  keysAnswer,
  optionsAnswer,
  removedKey
} from './answers.ts'
import { refusals } from './refusals.ts'

interface AuditQuery {
  readonly clientId?: string
  readonly userId?: string
  readonly before?: string
}

const listAudit = operation({
  id: 'oauth.audit.list',
  method: 'GET',
  path: '/admin/audit',
  summary: 'What happened, newest first',
  access: administrator,
  effect: 'read',
  query: Type.Object({
    limit: limitParameter(200, 50),
    clientId: Type.Optional(id),
    userId: Type.Optional(id),
    before: Type.Optional(
      Type.Refine(
        Type.String({ description: 'A time: entries before it.' }),
        (before) => !Number.isNaN(Date.parse(before)),
        () => 'must be a time'
      )
    )
  }),
  answer: auditAnswer,
  async run({ query }, { host, actor }: Call<AdminHost>) {
    const { collections, settings } = host
    const { people, sees, tenant } = await host.administratorOf(actor)
    const { limit } = pageOf(query)
    const filter = auditFilter(query, people)
    const found = await collections.audit
      .find(filter)
      .sort({ createdAt: -1 })
      .limit(limit)
      .toArray()
    const hidden = people.isEverybody ? NONE : await hiddenClients(found, sees, host)
    const rows = found
      .filter(({ clientId = '' }) => !hidden.has(clientId))
      // Of tenants' policies, an administrator of a tenant sees its own.
      .filter(
        ({ meta }) => people.isEverybody || [undefined, tenant].includes(meta?.['tenant'] as string)
      )
      .map((row) => shownTo(people, row))
    const ids = rows.flatMap(({ userId, actorId }) => [userId ?? [], actorId ?? []].flat())
    const names = await namesOf(new Set(ids), settings)
    const items = rows.map(({ _id, ...row }) => ({
      id: _id,
      ...row,
      person: names.get(row.userId ?? ''),
      actorName: names.get(row.actorId ?? '')
    }))
    return { items, limit }
  }
})

/** Of the administrator's own people, and of what all tenants share. @throws OAU_PERSON_FOREIGN */
function auditFilter(
  { clientId, userId, before }: AuditQuery,
  people: OwnPeople
): Filter<OAuthAudit> {
  if (userId !== undefined && !people.has(userId)) throw errors.OAU_PERSON_FOREIGN({ userId })
  return {
    ...(clientId !== undefined && { clientId }),
    ...(userId === undefined ? people.seen : { userId: textOfId(userId) }),
    ...(before !== undefined && { createdAt: { $lt: new Date(before) } })
  }
}

const NONE: ReadonlySet<string> = new Set()

/** Clients of other tenants alone, among those that the entries are about. */
async function hiddenClients(
  entries: readonly OAuthAudit[],
  sees: Administrator['sees'],
  { collections }: Pick<AdminHost, 'collections'>
): Promise<ReadonlySet<string>> {
  const ids = new Set(entries.flatMap(({ clientId }) => clientId ?? []))
  const clients = await collections.clients
    .find({ clientId: { $in: [...ids] } }, { projection: { clientId: 1, tenants: 1 } })
    .toArray()
  return new Set(clients.filter((client) => !sees(client)).map(({ clientId }) => clientId))
}

/** Without who acted and from where, when that was a person of another tenant, or may have been. */
function shownTo(people: OwnPeople, row: OAuthAudit): OAuthAudit {
  const whose = row.actor === 'admin' ? row.actorId : row.userId
  if (people.isEverybody || (whose !== undefined && people.has(whose))) return row
  const { actorId: _actor, ip: _ip, requestId: _request, ...shown } = row
  return shown
}

const listKeys = operation({
  id: 'oauth.keys.list',
  method: 'GET',
  path: '/admin/keys',
  summary: 'Signing keys',
  access: administrator,
  effect: 'read',
  answer: keysAnswer,
  async run(_input, { host, actor }: Call<AdminHost>) {
    const { people } = await host.administratorOf(actor)
    const { algorithms } = host.settings
    return { items: await host.keys.list(), algorithms, mayChange: people.isEverybody }
  }
})

const rotateKey = operation({
  id: 'oauth.keys.rotate',
  method: 'POST',
  path: '/admin/keys/rotate',
  summary: 'Makes a new signing key; the old ones retire',
  access: administrator,
  effect: 'change',
  bodyLimit: BODY_LIMIT,
  body: Type.Object(
    {
      alg: Type.Optional(Type.Enum(['ES256', 'RS256'], { description: 'Default: the first.' }))
    },
    { additionalProperties: false }
  ),
  answer: keyAnswer,
  async run({ body: { alg } }, { host, actor }: Call<AdminHost>) {
    const { journal, checkPlatform } = await host.administratorOf(actor)
    checkPlatform('The rotation of signing keys')
    const key = await host.keys.rotate(configuredAlg(alg, host))
    await journal.audit('oauth.key_rotated', { actor: 'admin', meta: { kid: key.kid } })
    return { key }
  }
})

/** @throws OAU_REQUEST_INVALID */
function configuredAlg(
  given: SigningAlg | undefined,
  { settings: { algorithms } }: Pick<AdminHost, 'settings'>
): SigningAlg {
  const alg = algorithms.find((one) => one === (given ?? algorithms[0]))
  if (alg !== undefined) return alg
  const problem = `must be one of ${algorithms.join(', ')}`
  throw errors.OAU_REQUEST_INVALID({ path: 'alg', problem })
}

const removeKey = operation({
  id: 'oauth.keys.delete',
  method: 'DELETE',
  path: '/admin/keys/:kid',
  summary: 'Deletes a retiring key',
  access: administrator,
  effect: 'change',
  hints: { destructive: true },
  params: Type.Object({ kid: id }),
  answer: removedKey,
  errors: refusals.only('not_found'),
  async run({ params: { kid } }, { host, actor }: Call<AdminHost>) {
    const { journal, checkPlatform } = await host.administratorOf(actor)
    checkPlatform('The deletion of signing keys')
    const { removed } = await host.keys.remove(kid)
    if (!removed) throw errors.OAU_KEY_UNKNOWN({ kid })
    await journal.audit('oauth.key_removed', { actor: 'admin', meta: { kid } })
    return { removed }
  }
})

const listAttempts = operation({
  id: 'oauth.attempts.list',
  method: 'GET',
  path: '/admin/attempts',
  summary: 'The last 100 authorization attempts of a client',
  access: administrator,
  effect: 'read',
  query: Type.Object({
    clientId: Type.Optional(
      Type.String({ description: 'Default: attempts without a known client.' })
    )
  }),
  answer: attemptsAnswer,
  async run({ query: { clientId = null } }, { host, actor }: Call<AdminHost>) {
    const { people, sees } = await host.administratorOf(actor)
    const client = clientId === null ? null : await host.collections.clients.findOne({ clientId })
    if (!sees(client)) return { items: [] }
    const rows = await host.attempts.list(clientId, people.seen)
    const items = rows.map(({ _id, ip, refusedHost, ...attempt }) => {
      const isShown = people.isEverybody || attempt.userId !== undefined
      return {
        id: _id,
        ...attempt,
        ...(isShown && ip !== undefined && { ip }),
        ...(people.isEverybody && refusedHost !== undefined && { refusedHost })
      }
    })
    return { items }
  }
})

const readOptions = operation({
  id: 'oauth.options.read',
  method: 'GET',
  path: '/admin/options',
  summary: 'Scopes, resources and presets for making clients',
  access: administrator,
  effect: 'read',
  answer: optionsAnswer,
  run: (_input, { host: { settings } }: Call<AdminHost>) => ({
    issuer: settings.issuer,
    scopes: [...settings.scopes.values()],
    resources: [...settings.resources.values()],
    grantTypes: [...grantTypesOf(settings)],
    hasTenants: settings.tenants !== undefined,
    presets: presetsFor([...settings.resources.keys()].filter((id) => /^https?:/.test(id)))
  })
})

/** The operations of the server. */
export const serverOperations: readonly Operation<AdminHost>[] = [
  listAudit,
  listKeys,
  rotateKey,
  removeKey,
  listAttempts,
  readOptions
]
