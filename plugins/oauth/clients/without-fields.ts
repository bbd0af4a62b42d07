// A client without some of its fields. Pure.
import type { OAuthClient } from '../storage/rows.ts'

export const withoutFields = (client: OAuthClient, gone: readonly string[]): OAuthClient =>
  Object.fromEntries(
    Object.entries(client).filter(([name]) => !gone.includes(name))
  ) as unknown as OAuthClient
