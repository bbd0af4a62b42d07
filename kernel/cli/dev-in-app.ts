// keelson dev in an existing app: runs the app's own entry, with the plugin in development added to its config.
import { checkManifest } from '../manifest/check.ts'
import { readManifest } from '../manifest/read.ts'
import { DEV_PLUGIN, type DevPlugin } from '../platform/dev-plugin.ts'
import { joined } from '../platform/validate.ts'
import type { CommandContext } from './command.ts'
import type { DevApp } from './dev-app.ts'
import { buildDevPlugins, findDevBuilds } from './dev-build.ts'
import type { GivenSettings } from './dev-options.ts'
import { superviseHost } from './supervise.ts'
import { watchFolders } from './watch.ts'

export interface DevInApp {
  readonly app: DevApp
  /** The folder of the plugin in development; undefined: the app alone is run. */
  readonly plugin: string | undefined
  readonly settings: GivenSettings
}

/** Resolves when the signal is aborted and the app has ended. */
export async function devInApp(
  { app, plugin, settings }: DevInApp,
  context: CommandContext,
  signal: AbortSignal
): Promise<void> {
  const added = plugin === undefined ? undefined : await readDevPlugin(plugin, settings)
  const plugins = plugin === undefined ? [] : [plugin]
  const builds = await findDevBuilds({ plugin: added?.id, plugins })
  const built = new Set(builds.map(({ folder }) => folder))
  const watched = [...new Set([app.folder, ...plugins])]
  const watcher = watchFolders(watched.map((path) => ({ path, isBuilt: built.has(path) })))
  const preload = new URL('./dev-preload.js', import.meta.url)
  try {
    await superviseHost({
      script: app.entry,
      args: [],
      execArgv: ['--import', preload.href],
      cwd: app.folder,
      env: {
        ...context.env,
        ...settings.env,
        KEELSON_DEV: '1',
        ...(added !== undefined && {
          KEELSON_DEV_NAME: added.id,
          [DEV_PLUGIN]: JSON.stringify(added)
        })
      },
      signal,
      prepare: (report) => buildDevPlugins(builds, report),
      nextChange: watcher.nextChange,
      report: ({ text, ...event }) => context.say(text, { ...event, message: text })
    })
  } finally {
    watcher.close()
  }
}

async function readDevPlugin(folder: string, settings: GivenSettings): Promise<DevPlugin> {
  const checked = checkManifest(await readManifest(folder), folder)
  if (!checked.ok) throw joined(checked.problems)
  return { id: checked.manifest.id, folder, config: settings.config }
}
