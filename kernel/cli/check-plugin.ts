// What is wrong with a plugin's folder: its files first, then what a start shows.
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { KeelsonError, type Manifest, type PluginDefinition } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import { type CheckedManifest, checkManifest } from '../manifest/check.ts'
import { migrationProblems } from '../manifest/migrations.ts'
import { settingProblems } from '../manifest/named-settings.ts'
import { operationProblems } from '../manifest/operations.ts'
import { exists, loadDefinition, readManifest } from '../manifest/read.ts'
import type { Findings } from './exercise.ts'
import { readPageFile } from './page-file.ts'
import { pageFaults } from './page-modules.ts'
import { printSheets } from './sheets.ts'
import { unpackedFiles } from './tarball.ts'
import { unbuiltPages } from './unbuilt-pages.ts'

/** One fault, as `keelson check --json` prints it. */
export interface Problem {
  readonly code: string
  readonly plugin: string
  /** The field in plugin.json, or the file. */
  readonly path: string
  readonly message: string
  readonly remedy: string
}

export interface CheckOptions {
  /** Print STORAGE.md and PERMISSIONS.md anew instead of comparing them. */
  readonly write: boolean
  /** The folder is that of a package as it is installed: what its package.json names must be there. */
  readonly isPacked?: boolean
  /** Starts the plugin when its files have no faults. */
  readonly start?: (manifest: Manifest) => Promise<Findings>
}

export interface CheckReport {
  readonly problems: readonly Problem[]
  /** What could not be tried. */
  readonly notes: readonly string[]
}

/** Checks a plugin's folder. Its main module is loaded, as a host would; nothing of it is run without `start`. */
export async function checkPlugin(folder: string, options: CheckOptions): Promise<CheckReport> {
  const source = basename(resolve(folder))
  const checked = await readChecked(folder, source)
  const report = (faults: readonly KeelsonError[], id: string, notes: readonly string[] = []) => ({
    problems: faults.map((fault) => problemOf(fault, id)),
    notes
  })
  if (!checked.ok) return report(checked.problems, source)
  const { manifest } = checked
  const unpacked = options.isPacked === true ? await unpackedFiles(folder, manifest.id) : []
  const faults = [...unpacked, ...(await fileFaults(folder, manifest, options.write))]
  if (faults.length > 0 || options.start === undefined) return report(faults, manifest.id)
  const started = await options.start(manifest)
  return report(started.faults, manifest.id, started.notes)
}

async function fileFaults(
  folder: string,
  manifest: Manifest,
  write: boolean
): Promise<readonly KeelsonError[]> {
  const missing = await missingFiles(folder, manifest)
  const isMainThere = !missing.some((fault) => fault.details['path'] === 'main')
  return [
    ...missing,
    ...(await pageFaults(folder, manifest)),
    ...unbuiltPages(manifest, (module) => readPageFile(folder, module)),
    ...(isMainThere ? await checkCode(folder, manifest) : []),
    ...(await checkSheets(folder, manifest, write))
  ]
}

function problemOf(fault: KeelsonError, source: string): Problem {
  const { code, message, remedy, details, plugin = source } = fault
  return { code, plugin, path: String(details['path'] ?? 'plugin.json'), message, remedy }
}

async function readChecked(folder: string, source: string): Promise<CheckedManifest> {
  try {
    return checkManifest(await readManifest(folder), source)
  } catch (error) {
    return { ok: false, problems: [keelsonError(error)] }
  }
}

/** Rethrows anything else: it is a bug in the checker. */
function keelsonError(error: unknown): KeelsonError {
  if (KeelsonError.is(error)) return error
  throw error
}

/** The files that the manifest names and that are not there. */
async function missingFiles(folder: string, manifest: Manifest): Promise<KeelsonError[]> {
  const named: [path: string, file: string][] = [
    ['main', manifest.main ?? './index.js'],
    ...(manifest.pages ?? []).map(({ module }, at): [string, string] => [
      `pages[${at}].module`,
      module
    ])
  ]
  const faults = await Promise.all(
    named.map(async ([path, file]) => {
      if (await exists(resolve(folder, file))) return []
      const isUnbuilt = file.startsWith('./dist/') && (await hasSources(folder))
      const hint = isUnbuilt
        ? 'The plugin has sources but is not built: build it (npm run build).'
        : `Write the file, or correct \`${path}\`.`
      return [errors.KRN_CLI_FILE_MISSING({ plugin: manifest.id, path, file, hint })]
    })
  )
  return faults.flat()
}

async function hasSources(folder: string): Promise<boolean> {
  const sources = ['index.ts', 'tsconfig.json', 'src']
  return (await Promise.all(sources.map((name) => exists(join(folder, name))))).some(Boolean)
}

async function checkCode(folder: string, manifest: Manifest): Promise<KeelsonError[]> {
  try {
    const definition = await loadDefinition(folder, manifest)
    return [
      ...checkCarried(manifest, definition),
      ...migrationProblems(manifest, definition),
      ...operationProblems(manifest, definition),
      ...settingProblems(manifest, definition)
    ]
  } catch (error) {
    return [keelsonError(error)]
  }
}

/** The manifest and the config schema that the code carries must be those of plugin.json. */
function checkCarried(manifest: Manifest, definition: PluginDefinition): KeelsonError[] {
  const plugin = manifest.id
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
  const { config, $schema, ...declared } = manifest
  const { config: _, $schema: __, ...carried } = definition.manifest as Partial<Manifest>
  const faults: KeelsonError[] = []
  if (!isDeepStrictEqual(plain(declared), plain(carried))) {
    const other = 'the manifest in the code'
    const hint = 'Build the plugin anew, or read plugin.json in the code instead of repeating it.'
    faults.push(errors.KRN_CLI_STALE({ plugin, path: 'plugin.json', other, hint }))
  }
  if (config !== undefined && !isDeepStrictEqual(plain(config), plain(definition.config))) {
    const other = "the code's config schema"
    const hint = 'Leave `config` out of plugin.json, or generate it from the schema in the code.'
    faults.push(errors.KRN_CLI_STALE({ plugin, path: 'config', other, hint }))
  }
  return faults
}

/** The printed pages that are there must be as they would be printed now. */
async function checkSheets(
  folder: string,
  manifest: Manifest,
  write: boolean
): Promise<KeelsonError[]> {
  const plugin = manifest.id
  const faults: KeelsonError[] = []
  for (const [name, text] of Object.entries(printSheets(manifest))) {
    const file = join(folder, name)
    if (write) await writeFile(file, text)
    const found = await readFile(file, 'utf8').catch(() => undefined)
    if (found === undefined || found === text) continue
    const hint = 'Run keelson check --write in the folder of the plugin.'
    faults.push(errors.KRN_CLI_STALE({ plugin, path: name, other: 'plugin.json', hint }))
  }
  return faults
}
