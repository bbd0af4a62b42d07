// Makes, lists and changes agent tokens: each change in one transaction with its audit entry.
import { randomBytes } from 'node:crypto'
import type { MailerCore } from '@keelson/mailer/contracts'
import {
  type Actor,
  type Clock,
  type Host,
  isRefused,
  type Owner,
  ownerOf,
  type PageOfRows,
  type Refused,
  readNewest
} from '@keelson/sdk'
import type { ClientSession, Collection } from 'mongodb'
import { refusals } from '../answers/refusals.ts'
import { deletedAt, grows, rotated, stateOf, type TokenChange, tokenId } from './decide-token.ts'
import type { Reach } from './reach.ts'
import { freePlace, retried } from './token-places.ts'
import type { TokenRow } from './token-row.ts'
import { endingOf, hashOf, newSecret } from './token-secret.ts'

/** Tokens of one page of the list. */
export const MOST_LISTED = 100
/** The tenant of administrators who see all tenants. */
const PLATFORM = '*'

/** What the store is made from. */
export interface TokenStoreSeams extends Pick<Host, 'withTransaction'> {
  rows(): Promise<Collection<TokenRow>>
  readonly core: MailerCore
  readonly clock: Clock
}

/** A new token. */
export interface TokenRequest extends Reach {
  readonly name: string
  readonly expiresAt?: Date
}

/** The only time that a secret is answered. */
export interface FreshToken {
  readonly ok: true
  readonly row: TokenRow
  readonly secret: string
}

/** A change that was made. */
export interface KeptToken {
  readonly ok: true
  readonly row: TokenRow
}

/** A change of a token in force, and what it is called. */
interface Deciding<Word extends string> {
  readonly action: string
  decide(row: TokenRow): Partial<TokenRow> | Refused<Word>
}

/** The tokens, as an administrator sees them: of the own tenant, or of all. */
export interface TokenStore {
  find(actor: Actor, id: string): Promise<TokenRow | null>
  /** Newest first. */
  list(
    actor: Actor,
    page: { readonly limit?: number; readonly cursor?: string }
  ): Promise<PageOfRows<TokenRow>>
  create(actor: Actor, request: TokenRequest): Promise<FreshToken | Refused<'token_limit_reached'>>
  /** The actor becomes the owner: they get the secret. Without `until` the secret before ends at once. */
  rotate(
    actor: Actor,
    id: string,
    until: Date | undefined
  ): Promise<FreshToken | Refused<'token_not_found' | 'token_over'>>
  change(
    actor: Actor,
    id: string,
    change: TokenChange
  ): Promise<KeptToken | Refused<'token_not_found' | 'token_over' | 'token_cannot_grow'>>
  /** A second revocation changes nothing. */
  revoke(actor: Actor, id: string): Promise<KeptToken | Refused<'token_not_found'>>
}

const within = ({ tenantId }: Actor): { readonly tenantId?: string } =>
  tenantId === PLATFORM ? {} : { tenantId }

const ownedBy = (actor: Actor): Owner =>
  ownerOf(actor) ?? { tenantId: actor.tenantId, name: actor.name }

/** What the audit log says of a token: nothing of its secrets. */
const factsOf = ({ name, scopes, routes, expiresAt }: TokenRow) => ({
  name,
  scopes,
  ...(routes !== undefined && { routes }),
  ...(expiresAt !== undefined && { expiresAt })
})

/** The tokens in their collection. */
export function createTokenStore(seams: TokenStoreSeams): TokenStore {
  const { rows } = seams
  return {
    find: async (actor, id) => (await rows()).findOne({ _id: id, ...within(actor) }),
    list: async (actor, page) =>
      readNewest(await rows(), within(actor), {
        ...page,
        time: 'createdAt',
        maxLimit: MOST_LISTED
      }),
    create: (actor, request) => create(seams, actor, request),
    async rotate(actor, id, until) {
      const secret = newSecret()
      const fresh = { hash: hashOf(secret), ending: endingOf(secret) }
      const outcome = await changeLive(seams, actor, id, {
        action: 'agent.token.rotate',
        decide: (row) => ({ secrets: rotated(row, fresh, until), owner: ownedBy(actor) })
      })
      return outcome.ok ? { ...outcome, secret } : outcome
    },
    change: (actor, id, change) =>
      changeLive(seams, actor, id, {
        action: 'agent.token.change',
        decide: (row) => (grows(row, change) ? refusals.refuse('token_cannot_grow') : setOf(change))
      }),
    revoke: (actor, id) => revoke(seams, actor, id)
  }
}

interface Noted {
  readonly actor: Actor
  readonly action: string
  readonly before?: object
  readonly after?: object
  readonly session: ClientSession
}

function note(
  { core }: TokenStoreSeams,
  { _id: id }: TokenRow,
  { actor, session, ...entry }: Noted
): Promise<void> {
  const resource = { collection: 'agent_tokens', id }
  return core.as(actor).audit({ ...entry, resource }, { session })
}

async function create(
  seams: TokenStoreSeams,
  actor: Actor,
  request: TokenRequest
): ReturnType<TokenStore['create']> {
  const collection = await seams.rows()
  const secret = newSecret()
  const row = newRow(actor, request, { secret, now: seams.clock.now() })
  return retried(() =>
    seams.withTransaction(async (session) => {
      const place = await freePlace(collection, row, session)
      if (place === undefined) return refusals.refuse('token_limit_reached')
      const placed = { ...row, place }
      await collection.insertOne(placed, { session })
      const action = 'agent.token.create'
      await note(seams, placed, { actor, action, after: factsOf(placed), session })
      return { ok: true, row: placed, secret }
    })
  )
}

/** Changes a token that is in force. */
async function changeLive<Word extends string = never>(
  seams: TokenStoreSeams,
  actor: Actor,
  id: string,
  { action, decide }: Deciding<Word>
): Promise<KeptToken | Refused<'token_not_found' | 'token_over' | Word>> {
  const collection = await seams.rows()
  return seams.withTransaction(async (session) => {
    const row = await collection.findOne({ _id: id, ...within(actor) }, { session })
    if (row === null) return refusals.refuse('token_not_found')
    if (stateOf(row, seams.clock.now()) !== 'active') return refusals.refuse('token_over')
    const decided = decide(row)
    if (isRefused(decided)) return decided
    const next = { ...row, ...decided }
    await collection.updateOne({ _id: id }, { $set: decided }, { session })
    const [before, after] = [factsOf(row), factsOf(next)]
    await note(seams, next, { actor, action, before, after, session })
    return { ok: true, row: next }
  })
}

async function revoke(
  seams: TokenStoreSeams,
  actor: Actor,
  id: string
): ReturnType<TokenStore['revoke']> {
  const collection = await seams.rows()
  return seams.withTransaction(async (session) => {
    const own = { _id: id, ...within(actor) }
    const now = seams.clock.now()
    const set = { revokedAt: now, revokedBy: actor.name, deleteAt: deletedAt(now) }
    const row = await collection.findOneAndUpdate(
      { ...own, revokedAt: { $exists: false } },
      { $set: set, $unset: { place: '' } },
      { session, returnDocument: 'after' }
    )
    if (row === null) {
      const before = await collection.findOne(own, { session })
      return before === null ? refusals.refuse('token_not_found') : { ok: true, row: before }
    }
    const action = 'agent.token.revoke'
    await note(seams, row, { actor, action, before: factsOf(row), session })
    return { ok: true, row }
  })
}

/** What a change sets. A new expiry moves the deletion. */
const setOf = ({ expiresAt, ...change }: TokenChange): Partial<TokenRow> => ({
  ...change,
  ...endOf(expiresAt)
})

const endOf = (expiresAt: Date | undefined) =>
  expiresAt === undefined ? {} : { expiresAt, deleteAt: deletedAt(expiresAt) }

function newRow(
  actor: Actor,
  { expiresAt, ...request }: TokenRequest,
  { secret, now }: { readonly secret: string; readonly now: Date }
): TokenRow {
  return {
    ...request,
    _id: tokenId(request.name, randomBytes(6).toString('hex')),
    tenantId: actor.tenantId,
    secrets: [{ hash: hashOf(secret), ending: endingOf(secret) }],
    owner: ownedBy(actor),
    createdAt: now,
    ...endOf(expiresAt)
  }
}
