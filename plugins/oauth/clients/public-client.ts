// A client without its secrets, as APIs and adapters see it. Pure.
import type { Settings } from '../config/settings.ts'
import type { OAuthClient, PublicClient } from '../storage/rows.ts'
import { resourcesOf } from './allowed-resources.ts'

export function publicClient(
  { _id, secrets, searchWords: _words, registrationTokenHash: _token, ...client }: OAuthClient,
  settings: Settings
): PublicClient {
  return {
    ...client,
    allowedResources: resourcesOf(client, settings),
    secrets: secrets.map(({ hash: _hash, ...rest }) => rest)
  }
}
