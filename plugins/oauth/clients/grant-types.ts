// The grants of the token endpoint: which are on, and which of them a client may use. Pure.
import type { Settings } from '../config/settings.ts'
import type { GrantType, OAuthClient } from '../storage/rows.ts'

export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

export const GRANT_TYPES: readonly GrantType[] = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  DEVICE_CODE,
  JWT_BEARER,
  TOKEN_EXCHANGE
]

/** Of a client that names none: a person signs in. */
export const USUAL_GRANTS: readonly GrantType[] = ['authorization_code', 'refresh_token']

/** The grants that are on. */
export function grantTypesOf({
  hasServiceAccounts,
  device,
  idJag,
  exchange
}: Pick<Settings, 'hasServiceAccounts' | 'device' | 'idJag' | 'exchange'>): readonly GrantType[] {
  return [
    ...USUAL_GRANTS,
    ...(hasServiceAccounts ? (['client_credentials'] as const) : []),
    ...(device === undefined ? [] : ([DEVICE_CODE] as const)),
    ...(idJag === undefined ? [] : ([JWT_BEARER] as const)),
    ...(exchange === undefined ? [] : ([TOKEN_EXCHANGE] as const))
  ]
}

/** The grants of a client. */
export const grantsOf = ({ grantTypes }: Pick<OAuthClient, 'grantTypes'>): readonly GrantType[] =>
  grantTypes ?? USUAL_GRANTS
