// What the consent route answers: the data of the consent page.
import { type Static, Type } from '@keelson/sdk'
import { brandingSchema } from '../clients/client-schema.ts'
import type { ReadonlyDeep } from '../config/readonly-deep.ts'

export const consentView = Type.Object({
  client: Type.Object({
    name: Type.String(),
    ...brandingSchema.properties,
    host: Type.Optional(
      Type.String({ description: 'Host of the metadata document that describes the client.' })
    )
  }),
  scopes: Type.Array(
    Type.Object({
      id: Type.String(),
      label: Type.String(),
      description: Type.Optional(Type.String()),
      sensitive: Type.Optional(Type.Boolean()),
      isNew: Type.Boolean({ description: 'The person has not granted it before.' })
    })
  ),
  issuer: Type.Object(
    {
      name: Type.String(),
      logoUrl: Type.Optional(Type.String()),
      accentColor: Type.Optional(Type.String())
    },
    { description: 'Whom access is granted at.' }
  ),
  switchAccount: Type.Optional(
    Type.String({ description: 'The address that asks again, as another person.' })
  ),
  offline: Type.Object(
    {
      isRequested: Type.Boolean({ description: 'The client asked for offline_access.' }),
      accessSeconds: Type.Number({ description: 'How long access lasts without it.' })
    },
    { description: 'Access while the person is away: a refresh token.' }
  ),
  resources: Type.Array(Type.String(), { description: 'Labels of the resources.' }),
  contexts: Type.Optional(Type.Array(Type.Object({ id: Type.String(), label: Type.String() }))),
  contextsHasMore: Type.Optional(Type.Boolean()),
  user: Type.Object({
    displayName: Type.Union([Type.String(), Type.Null()]),
    email: Type.Optional(Type.String())
  }),
  device: Type.Optional(
    Type.Boolean({ description: 'A device asks; the answer goes there and not to a callback.' })
  ),
  redirect: Type.Object(
    { host: Type.String(), loopback: Type.Boolean() },
    { description: 'Where the answer is sent.' }
  ),
  expiresAt: Type.String({ format: 'date-time' })
})
export type ConsentView = ReadonlyDeep<Static<typeof consentView>>
