// Reads the platform's config: a JSON file, a module, or an object given in code.
import { readFile } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errors } from '../errors/errors.ts'
import { jsonFault } from './json-fault.ts'
import { isPlainObject } from './schema-parts.ts'

/** Names of the config in a folder, in the order they are looked for. */
export const CONFIG_NAMES: readonly string[] = ['json', 'js', 'mjs', 'ts', 'mts'].map(
  (ending) => `keelson.config.${ending}`
)

export interface ConfigText {
  /** The file, or words that say where the config came from. */
  readonly source: string
  /** Paths in the config are relative to this folder. */
  readonly baseDir: string
  readonly content: unknown
  /** The plugins that `use` gives in code. */
  readonly plugins: readonly unknown[]
}

/** On a config given in code that was made from a file: where that file is. */
export const CONFIG_ORIGIN = Symbol('keelson.config-origin')

/**
 * Fetches the config's content.
 *
 * @throws KRN_CONFIG_UNREADABLE, KRN_CONFIG_TYPESCRIPT
 */
export async function readConfigText(given: unknown): Promise<ConfigText> {
  if (typeof given !== 'string') {
    const inCode = { source: 'given in code', baseDir: process.cwd() }
    return { ...inCode, ...originOf(given), ...withoutPlugins(given ?? {}) }
  }
  const file = resolve(given)
  const place = { source: file, baseDir: dirname(file) }
  if (!isModule(file)) return { ...place, content: await readJson(file), plugins: [] }
  return { ...place, ...withoutPlugins(await readModule(file)) }
}

function originOf(given: unknown): Partial<Pick<ConfigText, 'source' | 'baseDir'>> {
  if (typeof given !== 'object' || given === null) return {}
  return (
    (given as { [CONFIG_ORIGIN]?: Pick<ConfigText, 'source' | 'baseDir'> })[CONFIG_ORIGIN] ?? {}
  )
}

const PATH_HINT =
  'Correct the path of the option `config`: it is relative to the folder that the process was started in.'

const isModule = (file: string): boolean => /^\.[mc]?[jt]s$/.test(extname(file))

/** `use` is code, which the schema of the config does not know. */
function withoutPlugins(given: unknown): Pick<ConfigText, 'content' | 'plugins'> {
  if (!isPlainObject(given) || !Array.isArray(given['use'])) return { content: given, plugins: [] }
  const { use, ...content } = given
  return { content, plugins: use }
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw errors.KRN_CONFIG_UNREADABLE({ file, reason: readingFault(cause), hint: PATH_HINT })
  })
  // JSON.parse quotes the text it stumbles on, and that may be a secret.
  const fault = jsonFault(text)
  if (fault === undefined) return JSON.parse(text)
  const hint = 'Correct it there, or write the config as a module, keelson.config.js.'
  throw errors.KRN_CONFIG_UNREADABLE({ file, reason: `it is not JSON: ${fault}`, hint })
}

async function readModule(file: string): Promise<unknown> {
  let config: unknown
  try {
    config = (await import(pathToFileURL(file).href)).default
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // Node before 22.18 reads TypeScript only with a flag or a loader.
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
      throw errors.KRN_CONFIG_TYPESCRIPT({ file, version: process.versions.node, cause })
    }
    const reason = loadingFault(cause, file)
    const hint = reason === MISSING ? PATH_HINT : 'Correct the module; see the cause.'
    throw errors.KRN_CONFIG_UNREADABLE({ file, reason, hint, cause })
  }
  if (isPlainObject(config)) return config
  const hint = 'Export the config by default: export default defineConfig({ … }).'
  throw errors.KRN_CONFIG_UNREADABLE({ file, reason: 'its default export is not an object', hint })
}

const messageOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')

const MISSING = 'there is no such file'

/** Why a module could not be loaded, in words: it is missing itself, or something in it fails. */
export function loadingFault(cause: unknown, file: string): string {
  const { code } = cause as NodeJS.ErrnoException
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' && `${cause}`.includes(`'${file}'`)
  return isMissing ? MISSING : messageOf(cause)
}

/** Why a file could not be read, in words. */
export function readingFault(cause: unknown): string {
  const code = (cause as NodeJS.ErrnoException).code
  return code === 'ENOENT' ? MISSING : (code ?? messageOf(cause))
}
