// Agent tokens as administrators make, rotate, narrow and revoke them. No token reaches these.
import type { MailerCore } from '@keelson/mailer/contracts'
import {
  type Access,
  type Call,
  type Clock,
  closed,
  type Operation,
  operation,
  optional,
  type Refused,
  type Static,
  Type
} from '@keelson/sdk'
import { refusals } from '../answers/refusals.ts'
import {
  expiryFault,
  MOST_DAYS,
  MOST_GRACE_MS,
  secretBefore,
  stateOf
} from '../tokens/decide-token.ts'
import { type OwnerRule, WRITING } from '../tokens/owner-rule.ts'
import { AGENT_SCOPES, type AgentScope } from '../tokens/reach.ts'
import { actorOfToken } from '../tokens/stored-tokens.ts'
import type { TokenRow } from '../tokens/token-row.ts'
import { MOST_LISTED, type TokenStore } from '../tokens/token-store.ts'
import { invalid } from './invalid.ts'

/** What the operations are served with. */
export interface TokenHost {
  readonly tokens: TokenStore
  readonly core: MailerCore
  readonly isOwned: OwnerRule
  readonly clock: Clock
}

/** Administrators of the platform, and of the tenants that the config names. */
const access = { auth: 'admin', tenants: '${adminTenants}' } as const satisfies Access
const TOKENS = '/admin/tokens'
const TOKEN = `${TOKENS}/:id`
const rateLimit = { max: 60, windowSeconds: 60 }
const bodyLimit = 32_768

const time = Type.String({ format: 'date-time' })
const scope = Type.Enum(['mail:read', 'mail:write'])
const params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) })
const name = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' })
const scopes = Type.Array(scope, { minItems: 1, maxItems: 2, uniqueItems: true })
const routes = Type.Array(
  Type.String({
    maxLength: 200,
    pattern: '^/[^?#\\s]*$',
    form: 'an address that begins with /'
  }),
  {
    minItems: 1,
    maxItems: 50,
    description: 'Addresses below the mount that it may call, as /templates/*. Default: all.'
  }
)
const expiresAt = Type.String({
  maxLength: 64,
  description: `ISO 8601, within ${MOST_DAYS} days. Default: it does not expire.`
})

/** A token as administrators see it. */
const tokenAnswer = Type.Object(
  {
    id: Type.String(),
    tenantId: Type.String(),
    name: Type.String(),
    actor: Type.String({ description: 'As the audit log names it.' }),
    ending: Type.String({ description: 'The last characters of its secret.' }),
    before: optional(
      Type.Object(
        { ending: Type.String(), until: time },
        { description: 'The secret before the last rotation, while it works.' }
      )
    ),
    scopes: Type.Array(scope),
    routes: optional(Type.Array(Type.String())),
    owner: Type.String(),
    state: Type.Enum(['active', 'held', 'expired', 'revoked'], {
      description: 'held: its owner may not use the mailer any more. Rotate it to own it.'
    }),
    createdAt: time,
    expiresAt: optional(time),
    lastUsedAt: optional(Type.String({ format: 'date-time', description: 'To ten minutes.' })),
    revokedAt: optional(time),
    revokedBy: optional(Type.String())
  },
  { title: 'AgentToken' }
)
const oneAnswer = Type.Object({ token: tokenAnswer })
const freshAnswer = Type.Object({
  token: tokenAnswer,
  secret: Type.String({ description: 'Shown this once.' })
})
const listAnswer = Type.Object({
  items: Type.Array(tokenAnswer),
  nextCursor: optional(Type.String()),
  mayGive: Type.Array(scope, { description: 'Scopes that the caller may give a token.' })
})

/** Answers, as the page reads them. */
export type TokenAnswer = Static<typeof tokenAnswer>
export type FreshTokenAnswer = Static<typeof freshAnswer>
export type TokensAnswer = Static<typeof listAnswer>

type TokenCall = Call<TokenHost>

/** Scopes that the caller may give: no token may do more than who gives it. */
async function givable({ actor, host, may }: TokenCall): Promise<readonly AgentScope[]> {
  if (!(await host.core.as(actor).allowed())) return []
  for (const permission of WRITING) if (!(await may(permission))) return ['mail:read']
  return AGENT_SCOPES
}

async function overGivable(
  call: TokenCall,
  wanted: readonly AgentScope[]
): Promise<Refused<'forbidden'> | undefined> {
  const own = await givable(call)
  const missing = wanted.filter((one) => !own.includes(one))
  if (missing.length === 0) return undefined
  return {
    ok: false,
    code: 'forbidden',
    message: `You may not give a token the scope ${missing.join(', ')}: it would do more than you may.`
  }
}

/** The whole answer of one row. */
async function answerOf(row: TokenRow, { isOwned, clock }: TokenHost) {
  const state = stateOf(row, clock.now())
  const isHeld = state === 'active' && !(await isOwned(row))
  const { _id: id, owner, secrets, place: _place, deleteAt: _deleteAt, ...facts } = row
  const before = secretBefore(row, clock.now())
  return {
    ...facts,
    id,
    actor: actorOfToken(row),
    ending: secrets[0]?.ending ?? '',
    ...(before?.until !== undefined && {
      before: { ending: before.ending, until: before.until }
    }),
    owner: owner.name,
    state: isHeld ? ('held' as const) : state
  }
}

const list = operation({
  id: 'agent.tokens.list',
  method: 'GET',
  path: TOKENS,
  summary: 'Agent tokens that administrators made, newest first',
  access,
  effect: 'read',
  query: Type.Object({
    limit: optional(Type.Integer({ minimum: 1, maximum: MOST_LISTED, default: 50 })),
    cursor: optional(
      Type.String({ maxLength: 200, description: '`nextCursor` of the page before.' })
    )
  }),
  answer: listAnswer,
  async run({ query }, call: TokenCall) {
    const { actor, host } = call
    const { rows, nextCursor } = await host.tokens.list(actor, query)
    const items = await Promise.all(rows.map((row) => answerOf(row, host)))
    const mayGive = await givable(call)
    return { items, mayGive, ...(nextCursor !== undefined && { nextCursor }) }
  }
})

const read = operation({
  id: 'agent.tokens.read',
  method: 'GET',
  path: TOKEN,
  summary: 'An agent token',
  access,
  effect: 'read',
  params,
  answer: oneAnswer,
  errors: refusals.only('token_not_found'),
  async run({ params: { id } }, { actor, host }: TokenCall) {
    const row = await host.tokens.find(actor, id)
    if (row === null) return refusals.refuse('token_not_found')
    return { token: await answerOf(row, host) }
  }
})

const create = operation({
  id: 'agent.tokens.create',
  method: 'POST',
  path: TOKENS,
  summary: 'Makes an agent token; its secret is shown this once',
  access,
  effect: 'change',
  rateLimit,
  bodyLimit,
  body: Type.Object(
    { name, scopes, routes: optional(routes), expiresAt: optional(expiresAt) },
    closed
  ),
  status: 201,
  answer: freshAnswer,
  errors: refusals.only('token_limit_reached', 'validation_failed'),
  async run({ body: { expiresAt: expiry, ...body } }, call: TokenCall) {
    const { actor, host } = call
    const refused = (await overGivable(call, body.scopes)) ?? wrongExpiry(expiry, host)
    if (refused !== undefined) return refused
    const request = { ...body, name: body.name.trim(), ...dated(expiry) }
    const made = await host.tokens.create(actor, request)
    return made.ok ? { token: await answerOf(made.row, host), secret: made.secret } : made
  }
})

const rotate = operation({
  id: 'agent.tokens.rotate',
  method: 'POST',
  path: `${TOKEN}/rotate`,
  summary: 'Makes a new secret, shown this once; the caller owns the token from then on',
  access,
  effect: 'change',
  rateLimit,
  bodyLimit,
  params,
  body: Type.Object(
    {
      retireAfter: optional(
        Type.Integer({
          minimum: 0,
          maximum: MOST_GRACE_MS,
          default: 0,
          description: 'Milliseconds that the secret before still works. Default 0, at most 7 days.'
        })
      )
    },
    closed
  ),
  answer: freshAnswer,
  errors: refusals.only('token_not_found', 'token_over'),
  async run({ params: { id }, body: { retireAfter = 0 } }, call: TokenCall) {
    const { actor, host } = call
    const row = await host.tokens.find(actor, id)
    if (row === null) return refusals.refuse('token_not_found')
    // Who rotates it gets its secret.
    const refused = await overGivable(call, row.scopes)
    if (refused !== undefined) return refused
    const until = new Date(host.clock.now().getTime() + retireAfter)
    const made = await host.tokens.rotate(actor, id, retireAfter === 0 ? undefined : until)
    return made.ok ? { token: await answerOf(made.row, host), secret: made.secret } : made
  }
})

const change = operation({
  id: 'agent.tokens.change',
  method: 'PATCH',
  path: TOKEN,
  summary: 'Renames an agent token, or narrows what it may do and for how long',
  access,
  effect: 'change',
  hints: { idempotent: true },
  bodyLimit,
  params,
  body: Type.Object(
    {
      name: optional(name),
      scopes: optional(scopes),
      routes: optional(routes),
      expiresAt: optional(expiresAt)
    },
    closed
  ),
  answer: oneAnswer,
  errors: refusals.only('token_not_found', 'token_over', 'token_cannot_grow', 'validation_failed'),
  async run({ params: { id }, body: { expiresAt: expiry, ...body } }, call: TokenCall) {
    const { actor, host } = call
    const refused = wrongExpiry(expiry, host)
    if (refused !== undefined) return refused
    const change = {
      ...body,
      ...(body.name !== undefined && { name: body.name.trim() }),
      ...dated(expiry)
    }
    const made = await host.tokens.change(actor, id, change)
    return made.ok ? { token: await answerOf(made.row, host) } : made
  }
})

const revoke = operation({
  id: 'agent.tokens.revoke',
  method: 'POST',
  path: `${TOKEN}/revoke`,
  summary: 'Ends an agent token at once, in all processes',
  access,
  effect: 'stop',
  hints: { idempotent: true },
  params,
  answer: oneAnswer,
  errors: refusals.only('token_not_found'),
  async run({ params: { id } }, { actor, host }: TokenCall) {
    const made = await host.tokens.revoke(actor, id)
    return made.ok ? { token: await answerOf(made.row, host) } : made
  }
})

const dated = (expiry: string | undefined) =>
  expiry === undefined ? {} : { expiresAt: new Date(expiry) }

function wrongExpiry(expiry: string | undefined, { clock }: Pick<TokenHost, 'clock'>) {
  if (expiry === undefined) return undefined
  const message = expiryFault(new Date(expiry), clock.now())
  return message === undefined ? undefined : invalid('expiresAt', message)
}

/** The operations of agent tokens. */
export const tokenOperations: readonly Operation<TokenHost>[] = [
  list,
  read,
  create,
  rotate,
  change,
  revoke
]
