// The existing app that keelson dev runs: the file that starts it.
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { errors } from '../errors/errors.ts'
import { exists } from '../manifest/read.ts'

export interface DevApp {
  /** Absolute. */
  readonly entry: string
  /** Where it is started, and what is watched. */
  readonly folder: string
}

interface Packages {
  readonly main?: unknown
  readonly scripts?: Readonly<Record<string, unknown>>
  readonly keelson?: { readonly app?: unknown }
}

/**
 * The app at a path: a file, or a folder whose package.json says what starts it.
 *
 * @throws KRN_CLI_APP_MISSING
 */
export async function findApp(path: string): Promise<DevApp> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw errors.KRN_CLI_APP_MISSING({ path })
  if (found.isFile()) return { entry: path, folder: await packageFolder(dirname(path)) }
  const named = entryOf(await readPackages(path))
  const entry = named === undefined ? undefined : resolve(path, named)
  if (entry === undefined || !(await exists(entry))) throw errors.KRN_CLI_APP_MISSING({ path })
  return { entry, folder: path }
}

/** The app that a folder is, if its package.json says so. */
export async function declaredApp(folder: string): Promise<DevApp | undefined> {
  const { keelson } = await readPackages(folder)
  return typeof keelson?.app === 'string' ? findApp(folder) : undefined
}

/** `keelson.app`, else the file of the script `start`, else `main`. */
function entryOf({ keelson, scripts = {}, main }: Packages): string | undefined {
  const started = /^node (?:--\S+ )*([^-\s]\S*)$/.exec(String(scripts['start'] ?? ''))?.[1]
  return [keelson?.app, started, main].find((name) => typeof name === 'string')
}

async function readPackages(folder: string): Promise<Packages> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')
  return JSON.parse(text) as Packages
}

/** The nearest folder with a package.json; that of the file where there is none. */
async function packageFolder(from: string): Promise<string> {
  for (let at = from; ; at = dirname(at)) {
    if (await exists(join(at, 'package.json'))) return at
    if (dirname(at) === at) return from
  }
}
