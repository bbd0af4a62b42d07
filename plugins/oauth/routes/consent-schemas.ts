// Schemas of the routes that belong to an authorization request: consent, and logos.
import { optional, Type } from '@keelson/sdk'
import { consentView } from '../consent/consent-schema.ts'
import { ownResponse } from './protocol-schemas.ts'
import type { RouteSchema } from './route.ts'

const requestParams = Type.Object({ requestId: Type.String({ minLength: 1, maxLength: 2048 }) })

export const consentSchema: RouteSchema = {
  params: requestParams,
  querystring: Type.Object({
    contextId: optional(Type.String({ description: 'The chosen context.' }))
  }),
  response: ownResponse({ 200: consentView })
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
  response: ownResponse({
    200: Type.Object({ redirectTo: Type.String({ description: 'Where the browser goes next.' }) })
  })
}
