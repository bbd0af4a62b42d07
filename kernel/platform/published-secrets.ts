// Which secrets of a config have a value that anyone can read in the config itself. Pure.
import { configSchema, type KeelsonConfig } from '@keelson/sdk'
import { findSecrets } from './marks.ts'
import type { FilledPlaceholder } from './placeholders.ts'

/** A secret whose value in use is the default of its placeholder. */
export interface PublishedSecret extends FilledPlaceholder {
  /** Where it is in the config: `plugins.mailer.config.unsubscribeSecret`. */
  readonly path: string
  /** The environment variable that gives it another value. */
  readonly variable: string
}

/** What is looked at: the config as read, and where its plugins have secrets. */
export interface SecretPlaces {
  readonly config: KeelsonConfig
  readonly defaulted: readonly FilledPlaceholder[]
  /** The text of each secret of the plugins, by its path in the config. */
  readonly secrets: readonly (readonly [path: string, text: string])[]
}

/** In the order of the config, each variable once. An address without credentials holds no secret. */
export function publishedSecrets({ config, defaulted, secrets }: SecretPlaces): PublishedSecret[] {
  const own = findSecrets(configSchema, config).places
  const paths = [...own, ...secrets].flatMap(([path, text]) => (isBareAddress(text) ? [] : path))
  const found = new Map<string, PublishedSecret>()
  for (const { path, variable } of defaulted) {
    if (found.has(variable)) continue
    if (paths.some((secret) => isAtOrIn(secret, path))) found.set(variable, { path, variable })
  }
  return [...found.values()]
}

/** A string may have become a list. */
const isAtOrIn = (secret: string, path: string): boolean =>
  secret === path || secret.startsWith(`${path}[`) || secret.startsWith(`${path}.`)

/**
 * `smtp://127.0.0.1:2525`: fields of addresses are marked because an address may hold a password. Of a web address,
 * such as one of a webhook, the path may be the secret.
 */
const isBareAddress = (text: string): boolean =>
  /^(https?:\/\/[^/?#@]*\/?$|(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/?#@]*([/?#]|$))/i.test(text)
