// Who may keep users by SCIM, by the configuration. Pure.
import { hashOf } from '../crypto/handles.ts'
import type { OAuthHostConfig } from './schema.ts'

/** The token of one identity provider. */
export interface ScimToken {
  /** SHA-256 of the token. */
  readonly hash: string
  /** Whose users it keeps; empty where the host has no tenants. */
  readonly tenant: string
}

export interface ScimSettings {
  readonly tokens: readonly ScimToken[]
  /** The attribute that names the person of the host. */
  readonly subject: 'userName' | 'externalId'
  /** Requests of one token in a minute. */
  readonly perMinute: number
}

/** Undefined without tokens. */
export function scimOf({ scim }: OAuthHostConfig): ScimSettings | undefined {
  const tokens = (scim?.tokens ?? []).map(({ token, tenant = '' }) => ({
    hash: hashOf(token),
    tenant
  }))
  if (tokens.length === 0) return undefined
  return { tokens, subject: scim?.subject ?? 'userName', perMinute: scim?.perMinute ?? 600 }
}
