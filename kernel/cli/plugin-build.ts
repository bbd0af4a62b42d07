// The build of plugins: found where the plugin has installed it, so that a running host needs none.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errors } from '../errors/errors.ts'
import { exists } from '../manifest/read.ts'

const PACKAGE = '@keelson/ui-build'

/** What the build of a plugin says about itself: `PluginBuild` of @keelson/ui-build. */
export interface PluginBuild {
  readonly modules: number
  readonly modulesWritten: number
  readonly pages: readonly BuiltPage[]
}

export interface BuiltPage {
  readonly page: string
  /** Bytes after gzip, in the shell. */
  readonly size: number
  /** Bytes after gzip of the file for other sites. */
  readonly embedSize: number | undefined
  readonly isWritten: boolean
}

/** Builds one plugin. */
export type BuildPlugin = () => Promise<PluginBuild>

/** The build for the plugin in a folder; undefined where the plugin has not installed it. */
export function findBuild(folder: string): BuildPlugin | undefined {
  const file = installedBuild(folder)
  if (file === undefined) return undefined
  return async () => {
    const { buildPlugin } = (await import(pathToFileURL(file).href)) as {
      buildPlugin(options: { readonly folder: string }): Promise<PluginBuild>
    }
    try {
      return await buildPlugin({ folder })
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw errors.KRN_CLI_BUILD_FAILED({ folder, reason, cause })
    }
  }
}

/** Whether a plugin is written in TypeScript: its code is in `dist/`, which a build writes. */
export const hasTypeScript = (folder: string): Promise<boolean> =>
  exists(join(folder, 'tsconfig.json'))

function installedBuild(folder: string): string | undefined {
  try {
    return createRequire(join(folder, 'package.json')).resolve(PACKAGE)
  } catch {
    return undefined
  }
}

/** One line for the modules and one for each page, as far as they were written. */
export function buildLines({ modules, modulesWritten, pages }: PluginBuild): readonly string[] {
  const transpiled = modules === 0 ? [] : [`${modulesWritten} of ${modules} modules transpiled`]
  return [...transpiled, ...pages.map(pageLine)]
}

function pageLine({ page, size, embedSize, isWritten }: BuiltPage): string {
  const embed = embedSize === undefined ? '' : `, ${kilobytes(embedSize)} for other sites`
  const state = isWritten ? '' : ' (unchanged)'
  return `page ${page}: ${kilobytes(size)} in the shell${embed}${state}`
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`
