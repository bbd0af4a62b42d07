// Schemas of the endpoints that standards define: what they take and what they answer.
import { errorBodySchema, optional, Type } from '@keelson/sdk'
import { FORM } from '../http/requests.ts'
import type { RouteSchema } from './route.ts'

const text = (description: string) => Type.String({ description })
const open = { additionalProperties: true } as const

/** An error of OAuth (RFC 6749 §5.2). */
export const oauthErrorSchema = Type.Object({
  error: Type.String(),
  error_description: optional(Type.String())
})

/** An answer of our own API with its errors. */
export const ownResponse = (
  success: Readonly<Record<string, Type.TSchema>>
): Readonly<Record<string, Type.TSchema>> => ({
  ...success,
  '4xx': errorBodySchema
})
export const withErrors = (
  success: Readonly<Record<string, Type.TSchema>>
): Readonly<Record<string, Type.TSchema>> => ({
  ...success,
  '4xx': oauthErrorSchema,
  '5xx': oauthErrorSchema
})

/** A page or a redirect. */
const page = Type.String({ description: 'A page, or a redirect.' })

const document = (description: string): RouteSchema => ({
  response: withErrors({
    200: Type.Object({ issuer: optional(Type.String()) }, { ...open, description })
  })
})
export const serverDocument = document('RFC 8414 and OpenID Connect Discovery.')
export const resourceDocument = document('RFC 9728.')

const authorizeFields = {
  client_id: optional(text('Required.')),
  redirect_uri: optional(text('Required.')),
  response_type: optional(text('code')),
  response_mode: optional(text('query (default) or form_post')),
  scope: optional(text('Separated by spaces. Default: the default scopes.')),
  state: optional(text('Comes back with the answer.')),
  code_challenge: optional(text('Required.')),
  code_challenge_method: optional(text('S256')),
  resource: optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  nonce: optional(text('Put into the identity token.')),
  prompt: optional(text('none, login, consent, select_account')),
  max_age: optional(text('Seconds since the last sign-in.')),
  login_hint: optional(text('Handed to the sign-in page.')),
  ui_locales: optional(text('Languages of the pages: tags by preference, separated by spaces.')),
  id_token_hint: optional(text('The person that is expected.')),
  request_uri: optional(text('The handle of a pushed request.')),
  dpop_jkt: optional(text('Thumbprint of the key that the code is bound to.'))
}
const authorizeParameters = Type.Object(authorizeFields, open)

/** Answers that a person reads; an error is JSON for a caller that takes no pages. */
export const rendered = { '2xx': page, '3xx': Type.Null(), '4xx': oauthErrorSchema }
export const authorizeByQuery: RouteSchema = {
  querystring: authorizeParameters,
  response: rendered
}
export const authorizeByForm: RouteSchema = {
  body: authorizeParameters,
  consumes: [FORM],
  response: rendered
}
export const formPostPage: RouteSchema = {
  querystring: Type.Object({ d: optional(text('The sealed answer.')) }),
  response: rendered
}

const logoutParameters = Type.Object(
  {
    id_token_hint: optional(Type.String()),
    client_id: optional(Type.String()),
    post_logout_redirect_uri: optional(Type.String()),
    state: optional(Type.String()),
    ui_locales: authorizeFields.ui_locales
  },
  open
)
export const logoutByQuery: RouteSchema = { querystring: logoutParameters, response: rendered }
export const logoutByForm: RouteSchema = {
  body: logoutParameters,
  consumes: [FORM],
  response: rendered
}

const clientCredentials = {
  client_id: optional(Type.String()),
  client_secret: optional(Type.String()),
  client_assertion_type: optional(Type.String()),
  client_assertion: optional(text('A JWT, for private_key_jwt.'))
}

const form = (
  fields: Record<string, Type.TSchema>,
  success: Readonly<Record<string, Type.TSchema>>
): RouteSchema => ({
  body: Type.Object({ ...clientCredentials, ...fields }, open),
  consumes: [FORM],
  response: withErrors(success)
})

export const tokenSchema = form(
  {
    grant_type: optional(text('One of grant_types_supported.')),
    device_code: optional(Type.String()),
    assertion: optional(text('An ID-JAG, for jwt-bearer.')),
    subject_token: optional(text('An identity token, for token-exchange.')),
    subject_token_type: optional(Type.String()),
    requested_token_type: optional(text('An ID-JAG.')),
    audience: optional(text('The issuer that the ID-JAG is for.')),
    code: optional(Type.String()),
    redirect_uri: optional(Type.String()),
    code_verifier: optional(Type.String()),
    refresh_token: optional(Type.String()),
    scope: optional(text('Narrows the access token.')),
    resource: optional(Type.Union([Type.String(), Type.Array(Type.String())]))
  },
  {
    200: Type.Object({
      access_token: Type.String(),
      token_type: Type.Enum(['Bearer', 'DPoP', 'N_A']),
      issued_token_type: optional(text('Of token-exchange.')),
      expires_in: Type.Integer({ description: 'Seconds.' }),
      refresh_token: optional(text('Only when the person allowed access while they are away.')),
      scope: optional(Type.String()),
      id_token: optional(Type.String())
    })
  }
)

export const revokeSchema = form(
  { token: optional(text('Required.')), token_type_hint: optional(Type.String()) },
  { 200: Type.Object({}) }
)

export const introspectSchema = form(
  { token: optional(text('Required.')), token_type_hint: optional(Type.String()) },
  {
    200: Type.Object({
      active: Type.Boolean(),
      iss: optional(Type.String()),
      sub: optional(Type.String()),
      client_id: optional(Type.String()),
      aud: optional(Type.Union([Type.String(), Type.Array(Type.String())])),
      scope: optional(Type.String()),
      token_type: optional(Type.Enum(['Bearer', 'DPoP'])),
      iat: optional(Type.Integer()),
      exp: optional(Type.Integer()),
      jti: optional(Type.String()),
      context_id: optional(text('The context that the person chose at consent.')),
      tenant_id: optional(text('The tenant of the person, where it is on.')),
      cnf: optional(Type.Object({ jkt: Type.String() }))
    })
  }
)

export const deviceSchema = form(
  {
    scope: optional(text('Separated by spaces.')),
    resource: optional(Type.Union([Type.String(), Type.Array(Type.String())]))
  },
  {
    200: Type.Object({
      device_code: Type.String(),
      user_code: text('What the person types.'),
      verification_uri: Type.String(),
      verification_uri_complete: Type.String(),
      expires_in: Type.Integer({ description: 'Seconds.' }),
      interval: Type.Integer({ description: 'Least seconds between two polls.' })
    })
  }
)

export const parSchema = form(authorizeFields, {
  201: Type.Object({ request_uri: Type.String(), expires_in: Type.Number() })
})

const claims = withErrors({
  200: Type.Object({ sub: Type.String() }, { ...open, description: 'Claims by scope.' })
})
export const userinfoSchema: RouteSchema = { response: claims }
export const userinfoByForm: RouteSchema = {
  body: Type.Object({ access_token: optional(Type.String()) }, open),
  consumes: [FORM],
  response: claims
}

export const jwksSchema: RouteSchema = {
  response: withErrors({
    200: Type.Object({ keys: Type.Array(Type.Object({ kid: Type.String() }, open)) })
  })
}

/** RFC 7591. Further metadata is ignored, as the standard says. */
export const registrationBody = Type.Object(
  {
    client_id: optional(text('Required where a registration is replaced.')),
    redirect_uris: optional(Type.Array(Type.String())),
    client_name: optional(Type.String()),
    scope: optional(Type.String()),
    token_endpoint_auth_method: optional(Type.String()),
    jwks_uri: optional(Type.String()),
    jwks: optional(Type.Object({}, open)),
    logo_uri: optional(Type.String()),
    client_uri: optional(Type.String()),
    tos_uri: optional(Type.String()),
    policy_uri: optional(Type.String()),
    post_logout_redirect_uris: optional(Type.Array(Type.String())),
    backchannel_logout_uri: optional(
      text('https. Ignored where back-channel logout is off, and of open registrations.')
    ),
    backchannel_logout_session_required: optional(
      Type.Boolean({ description: 'False: logout tokens name the person, not a session.' })
    ),
    dpop_bound_access_tokens: optional(Type.Boolean()),
    id_token_signed_response_alg: optional(Type.String())
  },
  open
)

/** What is registered. */
export const registeredClient = Type.Object(
  {
    client_id: Type.String(),
    client_id_issued_at: Type.Integer(),
    client_secret: optional(Type.String()),
    client_secret_expires_at: optional(Type.Integer()),
    client_name: Type.String(),
    redirect_uris: Type.Array(Type.String()),
    grant_types: Type.Array(Type.String()),
    response_types: Type.Array(Type.String()),
    scope: Type.String(),
    token_endpoint_auth_method: Type.String(),
    registration_access_token: optional(text('Manages the registration; shown this once.')),
    registration_client_uri: optional(text('Where it is managed (RFC 7592).'))
  },
  open
)

export const registerSchema: RouteSchema = {
  body: registrationBody,
  response: withErrors({ 201: registeredClient })
}
