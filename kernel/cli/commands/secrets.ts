// keelson secrets: fresh values for the secrets that have the defaults of the config.
import { randomBytes } from 'node:crypto'
import { type PublishedSecret, publishedSecrets } from '../../platform/published-secrets.ts'
import type { Command } from '../command.ts'
import { findPlatform, loadPlugin, settingsOf } from '../platform.ts'

/** Bytes of a fresh value. */
const BYTES = 32

export const secrets: Command = {
  name: 'secrets',
  summary: 'Print fresh values for the secrets that have the default of the config, to paste.',
  details: [
    'Looks at every setting that a plugin marks as secret. A variable that has another value already',
    'is left out. Changes nothing. Where others can reach the host, a start needs them all.'
  ].join('\n'),
  async run(context) {
    const platform = await findPlatform(context)
    const perPlugin = await Promise.all(
      platform.plugins.map(
        async (plugin) => settingsOf(platform, plugin, await loadPlugin(plugin)).secrets.places
      )
    )
    const { config, defaulted } = platform.read
    const published = publishedSecrets({ config, defaulted, secrets: perPlugin.flat() })
    const values = freshValues(published)
    if (published.length === 0) context.note('No secret has the default of the config.')
    const lines = Object.entries(values).map(([variable, value]) => `${variable}=${value}`)
    return { text: lines.join('\n'), json: { secrets: values } }
  }
}

/** One value for each variable. */
const freshValues = (published: readonly PublishedSecret[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    published.map(({ variable }) => [variable, randomBytes(BYTES).toString('base64url')])
  )
