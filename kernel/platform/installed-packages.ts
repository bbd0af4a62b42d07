// The plugins that an app has installed, whether its config names them or not. Reads manifests and loads no code.
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Manifest } from '@keelson/sdk'
import { checkManifest } from '../manifest/check.ts'
import { exists, findPluginFolder, readManifest } from '../manifest/read.ts'

/** A package with a good plugin.json. */
export interface InstalledPackage {
  /** As the config names it: `plugins.<id>.package`. */
  readonly name: string
  readonly folder: string
  readonly manifest: Manifest
}

/** Looked at, of all that a package.json lists. */
const MOST = 1_000

/**
 * The packages with a plugin.json among the dependencies of the app, whose package.json is in the folder of the config
 * or the nearest above. What only another package brought is not found: the app did not choose it.
 */
export async function installedPackages(baseDir: string): Promise<readonly InstalledPackage[]> {
  const names = await dependenciesOfApp(baseDir)
  const found = await Promise.all(
    names.slice(0, MOST).map((name) => readPackage(name, baseDir).catch(() => undefined))
  )
  return found.flatMap((each) => each ?? [])
}

async function dependenciesOfApp(baseDir: string): Promise<readonly string[]> {
  for (let at = resolve(baseDir); ; at = dirname(at)) {
    const file = join(at, 'package.json')
    if (await exists(file)) return namesIn(await readFile(file, 'utf8'))
    if (dirname(at) === at) return []
  }
}

function namesIn(text: string): readonly string[] {
  try {
    const { dependencies, optionalDependencies } = JSON.parse(text) as Record<string, object>
    return [
      ...new Set([dependencies, optionalDependencies].flatMap((each) => Object.keys(each ?? {})))
    ]
  } catch {
    return []
  }
}

/** Undefined for a package that is no plugin, or whose manifest has faults. */
async function readPackage(name: string, baseDir: string): Promise<InstalledPackage | undefined> {
  const folder = await findPluginFolder(name, name, baseDir)
  const checked = checkManifest(await readManifest(folder), name)
  return checked.ok ? { name, folder, manifest: checked.manifest } : undefined
}
