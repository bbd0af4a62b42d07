// Schemas of our own API: consent, people's grants, and administration. Pages take their types from here.
import { type Static, Type } from '@keelson/sdk'
import {
  brandingSchema,
  clientPatchSchema,
  createdClientSchema,
  newClientSchema,
  publicClientSchema
} from '../clients/client-schema.ts'
import type { ReadonlyDeep } from '../config/readonly-deep.ts'
import { consentView } from '../consent/consent-schema.ts'
import { ownResponse } from './protocol-schemas.ts'
import type { ResponseSchemas, RouteSchema } from './route.ts'

const optional = Type.Optional
const time = Type.String({ format: 'date-time' })
const id = Type.String({ minLength: 1, maxLength: 2048 })
const texts = Type.Array(Type.String())
const count = Type.Integer()

const paging = {
  limit: optional(Type.Number({ description: 'Default 50, at most 200.' })),
  skip: optional(Type.Number({ description: 'Default 0.' }))
}
const list = <T extends Type.TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), limit: Type.Integer() })

const reply = (answer: Type.TSchema): ResponseSchemas => ownResponse({ 200: answer })

// Consent
const requestParams = Type.Object({ requestId: id })
export const consentSchema: RouteSchema = {
  params: requestParams,
  querystring: Type.Object({
    contextId: optional(Type.String({ description: 'The chosen context.' }))
  }),
  response: reply(consentView)
}
export const logoSchema: RouteSchema = {
  params: requestParams,
  response: ownResponse({ 200: Type.Unsafe<Buffer>({ description: 'An image.' }) })
}
/** The parameters are those of the authorization request. */
export const signInLogoSchema: RouteSchema = { response: logoSchema.response ?? {} }
export const decideSchema: RouteSchema = {
  params: requestParams,
  body: Type.Object({
    approve: Type.Boolean(),
    scopes: optional(Type.Array(Type.String(), { minItems: 1, description: 'Default: all.' })),
    contextId: optional(Type.String({ minLength: 1, maxLength: 256 })),
    offline: optional(
      Type.Boolean({ description: 'Whether a refresh token is given. Default: true.' })
    )
  }),
  response: reply(
    Type.Object({ redirectTo: Type.String({ description: 'Where the browser goes next.' }) })
  )
}

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
export const listedGrant = Type.Object({
  ...grant,
  userId: Type.String(),
  person: optional(Type.String({ description: 'Name or email address of the person.' }))
})
const label = { id: Type.String(), label: Type.String() }
export const myGrantsAnswer = Type.Object({
  items: Type.Array(Type.Object(grant)),
  limit: Type.Integer(),
  words: Type.Object({
    scopes: Type.Array(Type.Object({ ...label, sensitive: optional(Type.Boolean()) })),
    resources: Type.Array(Type.Object(label))
  })
})
const ended = Type.Object({ revoked: Type.Boolean(), tokensRevoked: count })
export const myGrantsSchema: RouteSchema = {
  querystring: Type.Object({
    limit: optional(Type.Number({ description: 'Default 20, at most 100.' })),
    skip: paging.skip
  }),
  response: reply(myGrantsAnswer)
}
export const endGrantSchema: RouteSchema = {
  params: Type.Object({ id }),
  response: reply(ended)
}
export const grantsSchema: RouteSchema = {
  querystring: Type.Object({ ...paging, clientId: optional(id), userId: optional(id) }),
  response: reply(list(listedGrant))
}

// People
const userParams = Type.Object({ userId: id })
const endedAccess = reply(Type.Object({ grantsRevoked: count, tokensRevoked: count }))
export const revokeUserSchema: RouteSchema = {
  params: userParams,
  body: Type.Union([
    Type.Object(
      { reason: optional(Type.String({ maxLength: 200, description: 'For the audit.' })) },
      { additionalProperties: false }
    ),
    Type.Null()
  ]),
  response: endedAccess
}
export const leaveContextSchema: RouteSchema = {
  params: userParams,
  body: Type.Object({ contextId: id }, { additionalProperties: false }),
  response: endedAccess
}
export const forgetUserSchema: RouteSchema = {
  params: userParams,
  response: reply(
    Type.Object({ grants: count, tokens: count }, { description: 'What was deleted.' })
  )
}

// Clients
const clientParams = Type.Object({ clientId: id })
const clientAnswer = reply(Type.Object({ client: publicClientSchema }))
export const clientsSchema: RouteSchema = {
  querystring: Type.Object({
    ...paging,
    status: optional(Type.Enum(['active', 'disabled'])),
    search: optional(
      Type.String({
        maxLength: 200,
        description: 'Starts of words of the name, the id or a callback host; all must match.'
      })
    ),
    cursor: optional(
      Type.String({ maxLength: 200, description: '`nextCursor` of the page before.' })
    )
  }),
  response: reply(
    Type.Object({
      items: Type.Array(publicClientSchema),
      limit: Type.Integer(),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Where the next page starts; null on the last one.'
      })
    })
  )
}
export const createClientSchema: RouteSchema = {
  body: newClientSchema,
  response: ownResponse({ 201: createdClientSchema })
}
export const readClientSchema: RouteSchema = { params: clientParams, response: clientAnswer }
export const updateClientSchema: RouteSchema = {
  params: clientParams,
  body: clientPatchSchema,
  response: clientAnswer
}
export const rotateSecretSchema: RouteSchema = {
  params: clientParams,
  body: Type.Union([
    Type.Object(
      {
        retireAfter: optional(
          Type.Number({
            minimum: 0,
            description: 'Milliseconds that older secrets still work. Default 0, at most 90 days.'
          })
        ),
        label: optional(Type.String({ maxLength: 100 }))
      },
      { additionalProperties: false }
    ),
    Type.Null()
  ]),
  response: reply(createdClientSchema)
}
export const disableClientSchema: RouteSchema = {
  params: clientParams,
  response: reply(Type.Object({ grantsRevoked: count, tokensRevoked: count }))
}
export const enableClientSchema: RouteSchema = { params: clientParams, response: clientAnswer }

// Audit
export const auditEntry = Type.Object({
  id: Type.String(),
  type: Type.String(),
  actor: Type.Enum(['user', 'client', 'admin', 'system']),
  actorId: optional(Type.String()),
  clientId: optional(Type.String()),
  userId: optional(Type.String()),
  person: optional(Type.String({ description: 'The name of `userId`, or the email address.' })),
  actorName: optional(Type.String({ description: 'The name of `actorId`, or the email address.' })),
  grantId: optional(Type.String()),
  ip: optional(Type.String()),
  requestId: optional(Type.String()),
  meta: optional(Type.Record(Type.String(), Type.Unknown())),
  createdAt: time
})
export type AuditEntry = ReadonlyDeep<Static<typeof auditEntry>>
export const auditSchema: RouteSchema = {
  querystring: Type.Object({
    limit: paging.limit,
    clientId: optional(id),
    userId: optional(id),
    before: optional(
      Type.Refine(
        Type.String({ description: 'A time: entries before it.' }),
        (before) => !Number.isNaN(Date.parse(before)),
        () => 'must be a time'
      )
    )
  }),
  response: reply(list(auditEntry))
}

// Keys
const key = Type.Object({
  kid: Type.String(),
  alg: Type.Enum(['ES256', 'RS256']),
  status: Type.Enum(['active', 'retiring']),
  createdAt: optional(time),
  isConfigured: Type.Boolean()
})
export const keysAnswer = Type.Object({ items: Type.Array(key), algorithms: texts })
export const keysSchema: RouteSchema = { response: reply(keysAnswer) }
export const rotateKeySchema: RouteSchema = {
  body: Type.Union([
    Type.Object(
      { alg: optional(Type.Enum(['ES256', 'RS256'], { description: 'Default: the first.' })) },
      { additionalProperties: false }
    ),
    Type.Null()
  ]),
  response: reply(Type.Object({ key }))
}
export const removeKeySchema: RouteSchema = {
  params: Type.Object({ kid: id }),
  response: reply(Type.Object({ removed: Type.Boolean() }))
}

// Attempts and options
export const attemptsAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      clientId: Type.Union([Type.String(), Type.Null()]),
      startedAt: time,
      userId: optional(Type.String({ description: 'The person who was signed in.' })),
      ip: optional(Type.String({ description: 'Address of the browser.' })),
      steps: Type.Array(
        Type.Object({
          at: time,
          step: Type.String(),
          outcome: Type.Enum(['passed', 'refused', 'waiting']),
          detail: Type.String()
        })
      )
    })
  )
})
export const attemptsSchema: RouteSchema = {
  querystring: Type.Object({
    clientId: optional(Type.String({ description: 'Default: attempts without a known client.' }))
  }),
  response: reply(attemptsAnswer)
}
export const optionsAnswer = Type.Object({
  issuer: Type.String(),
  scopes: Type.Array(Type.Object({ ...label, isSensitive: Type.Boolean() })),
  resources: Type.Array(Type.Object(label)),
  presets: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: Type.Enum(['confidential', 'public']),
      redirectUris: texts
    })
  )
})
export const optionsSchema: RouteSchema = { response: reply(optionsAnswer) }

/** The answers as pages read them. */
export type ListedGrantAnswer = ReadonlyDeep<Static<typeof listedGrant>>
export type MyGrantsAnswer = ReadonlyDeep<Static<typeof myGrantsAnswer>>
export type KeysAnswer = ReadonlyDeep<Static<typeof keysAnswer>>
export type AttemptsAnswer = ReadonlyDeep<Static<typeof attemptsAnswer>>
export type OptionsAnswer = ReadonlyDeep<Static<typeof optionsAnswer>>
