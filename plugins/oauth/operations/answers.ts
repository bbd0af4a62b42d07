// What the operations answer. Pages take their types from here.
import { optional, type Static, saidSchema, Type } from '@keelson/sdk'
import { brandingSchema, publicClientSchema } from '../clients/client-schema.ts'
import type { ReadonlyDeep } from '../config/readonly-deep.ts'

const time = Type.String({ format: 'date-time' })
const texts = Type.Array(Type.String())
const count = Type.Integer()

// Grants
const grant = {
  id: Type.String(),
  client: Type.Object({
    clientId: Type.String(),
    name: Type.String(),
    branding: optional(brandingSchema)
  }),
  scopes: texts,
  resources: texts,
  contextId: optional(Type.String()),
  contextLabel: optional(Type.String()),
  createdAt: time,
  lastUsedAt: optional(time)
}
const listedGrant = Type.Object(
  {
    ...grant,
    userId: Type.String(),
    person: optional(Type.String({ description: 'Name or email address of the person.' }))
  },
  { title: 'OAuthGrant' }
)
export const grantsAnswer = Type.Object({ items: Type.Array(listedGrant), limit: count })

const label = { id: Type.String(), label: Type.String() }
export const myGrantsAnswer = Type.Object({
  items: Type.Array(Type.Object(grant, { title: 'MyOAuthGrant' })),
  limit: count,
  words: Type.Object({
    scopes: Type.Array(Type.Object({ ...label, sensitive: optional(Type.Boolean()) })),
    resources: Type.Array(Type.Object(label))
  })
})
export const endedGrant = Type.Object(
  { revoked: Type.Boolean(), tokensRevoked: count },
  { title: 'EndedOAuthGrant' }
)
export const endedAccess = Type.Object(
  { grantsRevoked: count, tokensRevoked: count },
  { title: 'EndedOAuthAccess' }
)
export const forgottenPerson = Type.Object(
  { grants: count, tokens: count },
  { description: 'What was deleted.' }
)

// Clients
export const clientAnswer = Type.Object({ client: publicClientSchema })
export const clientsAnswer = Type.Object({
  items: Type.Array(publicClientSchema),
  limit: count,
  nextCursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Where the next page starts; null on the last one.'
  })
})

// Audit
const auditEntry = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    actor: Type.Enum(['user', 'client', 'admin', 'system']),
    actorId: optional(Type.String()),
    clientId: optional(Type.String()),
    userId: optional(Type.String()),
    person: optional(Type.String({ description: 'The name of `userId`, or the email address.' })),
    actorName: optional(
      Type.String({ description: 'The name of `actorId`, or the email address.' })
    ),
    grantId: optional(Type.String()),
    ip: optional(Type.String()),
    requestId: optional(Type.String()),
    meta: optional(Type.Record(Type.String(), Type.Unknown())),
    createdAt: time
  },
  { title: 'OAuthAuditEntry' }
)
export const auditAnswer = Type.Object({ items: Type.Array(auditEntry), limit: count })

// Keys
const key = Type.Object(
  {
    kid: Type.String(),
    alg: Type.Enum(['ES256', 'RS256']),
    status: Type.Enum(['active', 'retiring']),
    createdAt: optional(time),
    isConfigured: Type.Boolean()
  },
  { title: 'SigningKey' }
)
export const keysAnswer = Type.Object({
  items: Type.Array(key),
  algorithms: texts,
  mayChange: Type.Boolean({ description: 'Only administrators of the platform rotate and delete.' })
})
export const keyAnswer = Type.Object({ key })
export const removedKey = Type.Object({ removed: Type.Boolean() })

// Attempts and options
const attempt = Type.Object(
  {
    id: Type.String(),
    clientId: Type.Union([Type.String(), Type.Null()]),
    startedAt: time,
    userId: optional(Type.String({ description: 'The person who was signed in.' })),
    ip: optional(Type.String({ description: 'Address of the browser.' })),
    sentId: optional(Type.String({ description: 'The unknown client id that was sent.' })),
    refusedHost: optional(
      Type.String({
        description:
          'The host of metadata documents that is not allowed; for those who may allow it.'
      })
    ),
    steps: Type.Array(
      Type.Object({
        at: time,
        step: Type.String(),
        outcome: Type.Enum(['passed', 'refused', 'waiting']),
        detail: Type.String(),
        said: optional(saidSchema)
      })
    )
  },
  { title: 'AuthorizationAttempt' }
)
export const attemptsAnswer = Type.Object({ items: Type.Array(attempt) })
export const optionsAnswer = Type.Object({
  issuer: Type.String(),
  scopes: Type.Array(Type.Object({ ...label, isSensitive: Type.Boolean() })),
  resources: Type.Array(Type.Object(label)),
  grantTypes: Type.Array(Type.String(), { description: 'Those that are on.' }),
  hasTenants: Type.Boolean({ description: 'Clients can be for the people of tenants.' }),
  presets: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: Type.Enum(['confidential', 'public']),
      redirectUris: texts
    })
  )
})

export const hostsAnswer = Type.Object({
  isAny: Type.Boolean({ description: 'Every public host is allowed.' }),
  configured: texts,
  added: Type.Array(Type.String(), { description: 'Allowed by administrators.' }),
  mayChange: Type.Boolean()
})

const lists = {
  clients: Type.Optional(texts),
  hosts: Type.Optional(texts),
  scopes: Type.Optional(texts)
}

export const policyAnswer = Type.Object({
  tenant: Type.String(),
  configured: Type.Optional(Type.Object(lists, { description: 'A limit of the config.' })),
  set: Type.Optional(
    Type.Object({ ...lists, by: Type.Enum(['platform', 'tenant']) }, { description: 'Set since.' })
  )
})

export const policiesAnswer = Type.Object({
  mayAdd: Type.Boolean({ description: 'Of any tenant, where the host knows tenants.' }),
  items: Type.Array(policyAnswer),
  next: Type.Union([Type.String(), Type.Null()], { description: '`after` of the next page.' })
})

/** The answers as pages read them. */
export type ListedGrantAnswer = ReadonlyDeep<Static<typeof listedGrant>>
export type EndedGrantAnswer = ReadonlyDeep<Static<typeof endedGrant>>
export type EndedAccessAnswer = ReadonlyDeep<Static<typeof endedAccess>>
export type MyGrantsAnswer = ReadonlyDeep<Static<typeof myGrantsAnswer>>
export type OneClientAnswer = ReadonlyDeep<Static<typeof clientAnswer>>
export type ClientsAnswer = ReadonlyDeep<Static<typeof clientsAnswer>>
export type PoliciesAnswer = ReadonlyDeep<Static<typeof policiesAnswer>>
export type AuditEntry = ReadonlyDeep<Static<typeof auditEntry>>
export type KeysAnswer = ReadonlyDeep<Static<typeof keysAnswer>>
export type AttemptsAnswer = ReadonlyDeep<Static<typeof attemptsAnswer>>
export type OptionsAnswer = ReadonlyDeep<Static<typeof optionsAnswer>>
