// How long the tokens of a client live: its own lifetimes, else those of the server. Pure.
import type { Settings } from '../config/settings.ts'
import type { OAuthClient } from '../storage/rows.ts'

type Client = Pick<OAuthClient, 'accessTokenTtl' | 'refreshTokenTtl' | 'refreshAbsoluteTtl'>

/** In seconds. */
export const lifetimesOf = (
  { accessTokenTtl, refreshTokenTtl, refreshAbsoluteTtl }: Client,
  { ttl }: Pick<Settings, 'ttl'>
) => ({
  access: accessTokenTtl ?? ttl.accessToken,
  /** From the last use. */
  refresh: refreshTokenTtl ?? ttl.refreshToken,
  /** From consent. */
  refreshAbsolute: refreshAbsoluteTtl ?? ttl.refreshAbsolute
})
