// Servers whose tokens clients may get by an assertion of this one, by the configuration. Pure.
import type { OAuthHostConfig } from './schema.ts'

/** Another authorization server that trusts this one about its people. */
export interface ExchangeAudience {
  readonly issuer: string
  /** By its id here: the id of the client there. */
  readonly clients: ReadonlyMap<string, string>
  /** Undefined: every scope may be asked for there. */
  readonly scopes: ReadonlySet<string> | undefined
  readonly resources: ReadonlySet<string> | undefined
}

/** By issuer; undefined without any. */
export function exchangeOf({
  tokenExchange
}: OAuthHostConfig): ReadonlyMap<string, ExchangeAudience> | undefined {
  const audiences = (tokenExchange?.audiences ?? []).map((given): ExchangeAudience => {
    const { issuer, clients, scopes, resources } = given
    const there = clients.map(
      ({ clientId, clientIdThere = clientId }) => [clientId, clientIdThere] as const
    )
    return {
      issuer,
      clients: new Map(there),
      scopes: scopes && new Set(scopes),
      resources: resources && new Set(resources)
    }
  })
  return audiences.length === 0 ? undefined : new Map(audiences.map((one) => [one.issuer, one]))
}
