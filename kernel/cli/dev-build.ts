// Builds the plugins in development before each start of keelson dev.
import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { errors } from '../errors/errors.ts'
import { exists } from '../manifest/read.ts'
import type { DevProject } from './dev-project.ts'
import { type BuildPlugin, buildLines, findBuild, hasTypeScript } from './plugin-build.ts'
import type { SuperviseEvent } from './supervise.ts'

/** A plugin that is built before each start. */
export interface DevBuild {
  /** As it is watched. */
  readonly folder: string
  readonly build: BuildPlugin
}

/**
 * The builds of the plugins in TypeScript. One that is installed is built already; one that has not installed
 * the build has its own.
 *
 * @throws KRN_CLI_BUILD_MISSING when the plugin of the folder has neither
 */
export async function findDevBuilds({
  plugin,
  plugins
}: Pick<DevProject, 'plugin' | 'plugins'>): Promise<readonly DevBuild[]> {
  const builds: DevBuild[] = []
  for (const folder of plugins) {
    if ((await isInstalled(folder)) || !(await hasTypeScript(folder))) continue
    const build = findBuild(folder)
    if (build !== undefined) builds.push({ folder, build })
    else if (plugin !== undefined && !(await exists(join(folder, 'dist')))) {
      throw errors.KRN_CLI_BUILD_MISSING({ folder })
    }
  }
  return builds
}

async function isInstalled(folder: string): Promise<boolean> {
  return (await realpath(folder)).split(sep).includes('node_modules')
}

/** Resolves with whether the host can start; what was built and what failed is reported. */
export async function buildDevPlugins(
  builds: readonly DevBuild[],
  report: (event: SuperviseEvent) => void
): Promise<boolean> {
  try {
    for (const { build } of builds) {
      const built = await build()
      const isChanged = built.modulesWritten > 0 || built.pages.some((page) => page.isWritten)
      if (isChanged) report({ event: 'built', text: `built: ${buildLines(built).join(', ')}` })
    }
    return true
  } catch (error) {
    report({ event: 'failed', text: error instanceof Error ? error.message : String(error) })
    return false
  }
}
