// The plugin that keelson dev adds to an existing app: what the command says, and the config with it.
import type { ConfigText } from '../manifest/config-file.ts'
import { isPlainObject } from '../manifest/schema-parts.ts'
import { withSettings } from './join-settings.ts'

/** Holds a `DevPlugin` as JSON, in the process that keelson dev starts. */
export const DEV_PLUGIN = 'KEELSON_DEV_PLUGIN'

/** A plugin in development. */
export interface DevPlugin {
  readonly id: string
  /** Absolute. */
  readonly folder: string
  /** Settings over those of the config. */
  readonly config: Readonly<Record<string, unknown>>
}

type Env = Readonly<Record<string, string | undefined>>

/** The config of the app with the plugin in it. In production, the variable has no effect. */
export function withDevPlugin(text: ConfigText, env: Env): ConfigText {
  const given = env['NODE_ENV'] === 'production' ? '' : (env[DEV_PLUGIN] ?? '')
  const content = text.content ?? {}
  if (given === '' || !isPlainObject(content)) return text
  const { id, folder, config } = JSON.parse(given) as DevPlugin
  const plugins = isPlainObject(content['plugins']) ? content['plugins'] : {}
  const entry = isPlainObject(plugins[id]) ? plugins[id] : {}
  const own = isPlainObject(entry['config']) ? entry['config'] : {}
  const added = { ...entry, package: folder, enabled: true, config: withSettings(own, config) }
  return { ...text, content: { ...content, plugins: { ...plugins, [id]: added } } }
}
