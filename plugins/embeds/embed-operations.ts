// The API for administrators: pages that may be shared, tokens, revocations, the audit log.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import type { SharedPage } from '@keelson/sdk/contracts/embed-grants'
import { refusals } from './errors.ts'
import { type Grants, PLATFORM, type StoredGrant } from './grants.ts'
import type { PageList } from './shared-pages.ts'

/** What the operations are served with. */
export interface EmbedsHost {
  readonly grants: Grants
  readonly pages: PageList
  /** What all addresses of the platform are below. */
  readonly prefix: string
  readonly publicUrl: string | undefined
}

const access = { auth: 'admin', permission: 'embeds.share' } as const
const MAX_MINUTES = 24 * 60

const pageSchema = Type.Object({
  plugin: Type.String(),
  page: Type.String(),
  title: Type.String(),
  scope: Type.String(),
  varies: Type.Optional(
    Type.Array(Type.String(), {
      description: 'A share of this page says its other query parameters in `query`.'
    })
  )
})
const query = Type.Record(Type.String(), Type.String({ maxLength: 500 }), { maxProperties: 20 })
const time = Type.String({ format: 'date-time' })
const grantSchema = Type.Object({
  id: Type.String(),
  plugin: Type.String(),
  page: Type.String(),
  tenantId: Type.String(),
  query: Type.Optional(query),
  label: Type.String(),
  createdAt: time,
  createdBy: Type.String(),
  expiresAt: time,
  revokedAt: Type.Optional(time),
  revokedBy: Type.Optional(Type.String())
})

function grantAnswer({ _id, tokenHash: _, ...grant }: StoredGrant) {
  const { createdAt, expiresAt, revokedAt } = grant
  return {
    ...grant,
    id: _id,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...(revokedAt !== undefined && { revokedAt: revokedAt.toISOString() })
  }
}

const listPages = operation({
  id: 'embeds.pages.list',
  method: 'GET',
  path: '/api/pages',
  summary: 'Pages that may be shared',
  access,
  effect: 'read',
  answer: Type.Object({ pages: Type.Array(pageSchema) }),
  run: async (_input, { host }: Call<EmbedsHost>) => ({
    pages: host.pages.all().map(({ plugin, page, title, scope, varies }) => ({
      plugin,
      page,
      title,
      scope,
      ...(varies !== undefined && { varies: [...varies] })
    }))
  })
})

const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/

/** Parameters are for a page that shows one thing of many, and what varies cannot be said once. */
const takesQuery = (
  { varies }: Pick<SharedPage, 'varies'>,
  query: Readonly<Record<string, string>> = {}
): boolean =>
  Object.keys(query).every(
    (name) => varies !== undefined && NAME.test(name) && !varies.includes(name)
  )

const share = operation({
  id: 'embeds.grants.create',
  method: 'POST',
  path: '/api/grants',
  summary: 'Gives a token that shows one page, or one chart, of one tenant for at most 24 hours',
  access,
  effect: 'release',
  rateLimit: { max: 120, windowSeconds: 60 },
  bodyLimit: 8192,
  body: Type.Object({
    plugin: Type.String({ maxLength: 100 }),
    page: Type.String({ maxLength: 100 }),
    tenantId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    query: Type.Optional(query),
    minutes: Type.Integer({ minimum: 1, maximum: MAX_MINUTES, default: 60 }),
    label: Type.String({ maxLength: 200, default: '', description: 'For the list of grants.' })
  }),
  status: 201,
  answer: Type.Object({
    grant: grantSchema,
    token: Type.String({ description: 'Shown once. For the property getToken of the page.' }),
    address: Type.String({ description: 'For the src of an iframe.' })
  }),
  errors: refusals.only('page_not_shared', 'other_tenant', 'tenant_missing', 'query_not_taken'),
  async run({ body }, { host, actor }: Call<EmbedsHost>) {
    const { plugin, page: id, minutes, label, query } = body
    const tenantId = body.tenantId ?? actor.tenantId
    if (actor.tenantId !== PLATFORM && tenantId !== actor.tenantId)
      return refusals.refuse('other_tenant')
    if (tenantId === PLATFORM) return refusals.refuse('tenant_missing')
    const page = host.pages.find(plugin, id)
    if (page === undefined) return refusals.refuse('page_not_shared')
    if (!takesQuery(page, query)) return refusals.refuse('query_not_taken')
    const request = { page, tenantId, minutes, label, query }
    const { token, grant } = await host.grants.share(actor, request)
    // What comes after # is not sent to a server, and is in no log.
    const asked = query === undefined ? '' : `?${new URLSearchParams(query)}`
    const address = `${host.publicUrl ?? ''}${host.prefix}/embed/${plugin}/${id}${asked}#${token}`
    return { grant: grantAnswer(grant), token, address }
  }
})

const listGrants = operation({
  id: 'embeds.grants.list',
  method: 'GET',
  path: '/api/grants',
  summary: 'The newest 200 grants',
  access,
  effect: 'read',
  answer: Type.Object({ items: Type.Array(grantSchema) }),
  run: async (_input, { host, actor }: Call<EmbedsHost>) => ({
    items: (await host.grants.list(actor.tenantId)).map(grantAnswer)
  })
})

const revoke = operation({
  id: 'embeds.grants.revoke',
  method: 'POST',
  path: '/api/grants/:id/revoke',
  summary: 'Ends a token at once',
  access,
  effect: 'stop',
  params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
  answer: grantSchema,
  errors: refusals.only('grant_not_found'),
  async run({ params }, { host, actor }: Call<EmbedsHost>) {
    const grant = await host.grants.revoke(actor, params.id)
    return grant === undefined ? refusals.refuse('grant_not_found') : grantAnswer(grant)
  }
})

const listAudit = operation({
  id: 'embeds.audit.list',
  method: 'GET',
  path: '/api/audit',
  summary: 'Who shared and revoked: the newest 200 entries',
  access,
  effect: 'read',
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        at: time,
        tenantId: Type.String(),
        action: Type.Union([Type.Literal('share'), Type.Literal('revoke')]),
        actor: Type.String(),
        ip: Type.String(),
        grantId: Type.String(),
        plugin: Type.String(),
        page: Type.String(),
        query: Type.Optional(query)
      })
    )
  }),
  run: async (_input, { host, actor }: Call<EmbedsHost>) => ({
    items: (await host.grants.audit(actor.tenantId)).map(({ _id, at, ...row }) => ({
      ...row,
      id: _id,
      at: at.toISOString()
    }))
  })
})

/** The operations of the plugin. */
export const embedOperations: readonly Operation<EmbedsHost>[] = [
  listPages,
  share,
  listGrants,
  revoke,
  listAudit
]
