// Writes the config of the demo with changes to a file, for `KEELSON_CONFIG` of a start.
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ROOT } from './processes.ts'

const FOLDER = join(ROOT, 'examples/platform')

/** A plugin as a config names it. */
export interface ConfiguredPlugin {
  readonly package: string
  readonly mount?: string
  readonly config?: Readonly<Record<string, unknown>>
}

const folderOf = (name: string): string =>
  name.startsWith('.') ? resolve(FOLDER, name) : join(ROOT, 'node_modules', name)

/** `change` is asked for each plugin. Answers the path of the file. */
export async function changedConfig(
  change: (id: string, plugin: ConfiguredPlugin) => ConfiguredPlugin
): Promise<string> {
  const text = await readFile(join(FOLDER, 'keelson.config.json'), 'utf8')
  const config = JSON.parse(text) as {
    readonly plugins: Readonly<Record<string, ConfiguredPlugin>>
  }
  const plugins = Object.entries(config.plugins).map(([id, plugin]) => [
    id,
    change(id, { ...plugin, package: folderOf(plugin.package) })
  ])
  const file = join(await mkdtemp(join(tmpdir(), 'keelson-config-')), 'keelson.config.json')
  await writeFile(file, JSON.stringify({ ...config, plugins: Object.fromEntries(plugins) }))
  return file
}

/** The demo where tokens of people open what its pages read and change. */
export const configWithTokens = (): Promise<string> =>
  changedConfig((id, plugin) => {
    if (id !== 'oauth') return plugin
    const { resources, scopes, ...config } = plugin.config as {
      readonly resources: readonly { readonly id: string }[]
      readonly scopes: readonly object[]
    }
    return {
      ...plugin,
      config: {
        ...config,
        resources: [
          ...resources.filter((one) => one.id !== '/telemetry'),
          { id: '/telemetry', scopes: ['telemetry:read', 'telemetry:write'] },
          { id: '/admin/mailer', scopes: ['mail:read', 'mail:write'] }
        ],
        scopes: [...scopes, { id: 'telemetry:write', label: 'Save views, manage alerts' }]
      }
    }
  })
