// The answers of the client API as the page reads them.

export interface SecretAnswer {
  readonly label?: string
  readonly createdAt: string
  readonly lastUsedAt?: string
  readonly retiresAt?: string
}

export interface ClientAnswer {
  readonly clientId: string
  readonly name: string
  readonly type: 'confidential' | 'public'
  readonly registration: 'manual' | 'cimd' | 'dynamic'
  readonly secrets: readonly SecretAnswer[]
  readonly redirectUris: readonly string[]
  readonly allowedScopes: readonly string[]
  /** Empty: all. */
  readonly allowedResources: readonly string[]
  readonly tokenEndpointAuthMethod: string
  readonly jwksUri?: string
  readonly status: 'active' | 'disabled'
  readonly createdAt: string
  readonly updatedAt: string
}

export interface OptionsAnswer {
  readonly issuer: string
  readonly scopes: readonly {
    readonly id: string
    readonly label: string
    readonly isSensitive: boolean
  }[]
  readonly resources: readonly { readonly id: string; readonly label: string }[]
  readonly presets: readonly {
    readonly id: string
    readonly name: string
    readonly type: 'confidential' | 'public'
    readonly redirectUris: readonly string[]
  }[]
}

/** A client that was just made, or one with a new secret: the only time the secret is there. */
export interface FreshClient {
  readonly clientId: string
  readonly type: 'confidential' | 'public'
  readonly clientSecret?: string
}

export const hasSecret = ({ tokenEndpointAuthMethod }: ClientAnswer): boolean =>
  tokenEndpointAuthMethod.startsWith('client_secret')

/** How long older secrets may go on working, by the words of the catalog, in milliseconds. */
export const GRACES: readonly (readonly [id: string, ms: number])[] = [
  ['now', 0],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000]
]
