// What keelson dev runs in a folder: a plugin by itself, or a platform.
import { resolve } from 'node:path'
import type { Manifest } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import { checkManifest } from '../manifest/check.ts'
import { exists, readManifest } from '../manifest/read.ts'
import { joined } from '../platform/validate.ts'
import type { CommandContext } from './command.ts'
import { findConfig, findPlatform } from './platform.ts'

export interface DevProject {
  /** The platform's config, as createKernel takes it: a file or an object. */
  readonly config: string | Readonly<Record<string, unknown>>
  /** A plugin of the project says who is looking; else everybody is an admin. */
  readonly hasViewers: boolean
  /** Folders whose changes restart the host. */
  readonly watched: readonly string[]
}

/**
 * A folder with a plugin.json is run as a platform of that one plugin, with its data beside it.
 *
 * @throws KRN_CLI_NO_PROJECT, or what is wrong with the manifest or the config
 */
export async function readDevProject(
  context: Pick<CommandContext, 'cwd' | 'env'>
): Promise<DevProject> {
  const folder = context.cwd
  if (await exists(resolve(folder, 'plugin.json'))) {
    const checked = checkManifest(await readManifest(folder), folder)
    if (!checked.ok) throw joined(checked.problems)
    const { manifest } = checked
    const config = {
      storage: { dataDir: resolve(folder, '.keelson') },
      shell: { title: manifest.name },
      plugins: { [manifest.id]: { package: folder } }
    }
    return { config, hasViewers: providesViewers(manifest), watched: [folder] }
  }
  const file = await findConfig(context).catch(() => undefined)
  if (file === undefined) throw errors.KRN_CLI_NO_PROJECT({ folder })
  const { read, plugins } = await findPlatform(context)
  const hasViewers = plugins.some(({ manifest }) => providesViewers(manifest))
  const folders = [read.baseDir, ...plugins.flatMap(({ folder }) => folder ?? [])]
  return { config: file, hasViewers, watched: [...new Set(folders)] }
}

function providesViewers(manifest: Manifest): boolean {
  return (manifest.provides ?? []).some((capability) => capability.startsWith('auth.viewer/'))
}
