// The answers of the client API as the page reads them.
import type { ClientAnswer, CreatedClientAnswer } from '../../clients/client-schema.ts'

export type SecretAnswer = ClientAnswer['secrets'][number]

/** A new client, or a client with a new secret: the only answer with the secret. */
export type FreshClient = Omit<CreatedClientAnswer, 'client'>

export const hasSecret = ({ tokenEndpointAuthMethod }: ClientAnswer): boolean =>
  tokenEndpointAuthMethod.startsWith('client_secret')

/** How long older secrets may go on working, by the words of the catalog, in milliseconds. */
export const GRACES: readonly (readonly [id: string, ms: number])[] = [
  ['now', 0],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000]
]
