// Grants in the database: giving a token, finding what it opens, revoking it; each change with its audit row.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Actor, Host } from '@keelson/sdk'
import {
  EMBED_TOKEN_PREFIX,
  type EmbedGrant,
  type EmbedGrants
} from '@keelson/sdk/contracts/embed-grants'
import type { ClientSession } from 'mongodb'
import type { ListedPage, PageList } from './shared-pages.ts'

/** A grant as it is stored: of its token the hash alone. */
export interface StoredGrant {
  readonly _id: string
  /** SHA-256, in hexadecimal. The token has 256 random bits, so it needs neither salt nor stretching. */
  readonly tokenHash: string
  readonly plugin: string
  readonly page: string
  readonly tenantId: string
  /** Of a page that shows one thing of many: which. */
  readonly query?: Readonly<Record<string, string>>
  readonly label: string
  readonly createdAt: Date
  readonly createdBy: string
  readonly expiresAt: Date
  readonly revokedAt?: Date
  readonly revokedBy?: string
}

/** Who changed a grant, and when. */
export interface AuditRow {
  readonly _id: string
  readonly at: Date
  readonly tenantId: string
  readonly action: 'share' | 'revoke'
  readonly actor: string
  readonly ip: string
  readonly grantId: string
  readonly plugin: string
  readonly page: string
  readonly query?: Readonly<Record<string, string>>
}

/** What is granted. */
export interface GrantRequest {
  readonly page: ListedPage
  readonly tenantId: string
  readonly minutes: number
  readonly label: string
  readonly query?: Readonly<Record<string, string>> | undefined
}

/** The grants of the platform. */
export interface Grants extends EmbedGrants {
  /** The token is answered once and never again. */
  share(actor: Actor, request: GrantRequest): Promise<{ token: string; grant: StoredGrant }>
  /** Undefined when there is no such grant for the tenant of the actor. A second revocation changes nothing. */
  revoke(actor: Actor, id: string): Promise<StoredGrant | undefined>
  /** Newest first, at most 200. */
  list(tenantId: string): Promise<readonly StoredGrant[]>
  /** Newest first, at most 200. */
  audit(tenantId: string): Promise<readonly AuditRow[]>
}

const LISTED = 200
const MINUTE_MS = 60_000
/** The tenant of viewers who see all tenants. */
export const PLATFORM = '*'

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
const within = (tenantId: string) => (tenantId === PLATFORM ? {} : { tenantId })

/** Keeps grants in the collections of the plugin. */
export function createGrants(host: Host, pages: PageList): Grants {
  const stored = host.collection<StoredGrant>('embeds_grants')
  const rows = host.collection<AuditRow>('embeds_audit')
  const note = async (
    action: AuditRow['action'],
    actor: Actor,
    grant: StoredGrant,
    session: ClientSession
  ) => {
    const { _id: grantId, tenantId, plugin, page, query } = grant
    const by = { actor: actor.name, ip: actor.ip ?? '' }
    const row = { _id: randomUUID(), at: host.clock.now(), tenantId, action, ...by }
    const shared = { plugin, page, ...(query !== undefined && { query }) }
    await rows.insertOne({ ...row, grantId, ...shared }, { session })
  }
  return {
    async grantOf(token) {
      const grant = await stored.findOne({ tokenHash: hashOf(token) })
      return grant === null ? null : opened(grant, pages, host.clock.now())
    },
    async share(actor, { page, tenantId, minutes, label, query }) {
      const token = `${EMBED_TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`
      const createdAt = host.clock.now()
      const grant: StoredGrant = {
        _id: randomUUID(),
        tokenHash: hashOf(token),
        plugin: page.plugin,
        page: page.page,
        tenantId,
        ...(query !== undefined && { query }),
        label,
        createdAt,
        createdBy: actor.name,
        expiresAt: new Date(createdAt.getTime() + minutes * MINUTE_MS)
      }
      await host.withTransaction(async (session) => {
        await stored.insertOne(grant, { session })
        await note('share', actor, grant, session)
      })
      return { token, grant }
    },
    async revoke(actor, id) {
      return host.withTransaction(async (session) => {
        const own = { _id: id, ...within(actor.tenantId) }
        const change = { revokedAt: host.clock.now(), revokedBy: actor.name }
        const revoked = await stored.findOneAndUpdate(
          { ...own, revokedAt: { $exists: false } },
          { $set: change },
          { session, returnDocument: 'after' }
        )
        if (revoked === null) return (await stored.findOne(own, { session })) ?? undefined
        await note('revoke', actor, revoked, session)
        return revoked
      })
    },
    list: (tenantId) =>
      stored.find(within(tenantId)).sort({ createdAt: -1 }).limit(LISTED).toArray(),
    audit: (tenantId) => rows.find(within(tenantId)).sort({ at: -1 }).limit(LISTED).toArray()
  }
}

/** What a grant opens now; null when it is over, or its page may no longer be shared. */
function opened(grant: StoredGrant, pages: PageList, now: Date): EmbedGrant | null {
  if (grant.revokedAt !== undefined || grant.expiresAt <= now) return null
  const page = pages.find(grant.plugin, grant.page)
  if (page === undefined) return null
  const { scope, operations, varies } = page
  const viewer = { tenantId: grant.tenantId, role: 'embed', viewerRef: `embed:${grant._id}` }
  return {
    viewer,
    scope,
    operations,
    ...(varies !== undefined && { varies, query: grant.query ?? {} })
  }
}
