// The answers of the client API as the page reads them.
import type { AsJson } from '@keelson/ui'
import type { CreatedClient, PublicClient } from '../../clients/client-store.ts'

/** A client as JSON brings it. */
export type ClientAnswer = AsJson<PublicClient>
export type SecretAnswer = ClientAnswer['secrets'][number]

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

/** A new client, or a client with a new secret: the only answer with the secret. */
export type FreshClient = AsJson<Omit<CreatedClient, 'client'>>

export const hasSecret = ({ tokenEndpointAuthMethod }: ClientAnswer): boolean =>
  tokenEndpointAuthMethod.startsWith('client_secret')

/** How long older secrets may go on working, by the words of the catalog, in milliseconds. */
export const GRACES: readonly (readonly [id: string, ms: number])[] = [
  ['now', 0],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000]
]
