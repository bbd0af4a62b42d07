// A data folder: made when it is missing, marked with its format, refused when it is not one.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DATA_FILE } from '../engine/parts.ts'

/** The format that this version writes, and the newest that it reads. */
export const FORMAT = 2
const FORMAT_FILE = 'format.json'
/** By these a folder of another database is known. */
const FOREIGN = ['WiredTiger', 'mongod.lock', 'PG_VERSION']

/** A usable folder, or why it cannot be used. */
export type DataFolder =
  | { readonly kind: 'usable'; readonly path: string }
  | { readonly kind: 'refused'; readonly reason: string }

/** Makes or opens a data folder; `path` is absolute and free of links. */
export async function openDataFolder(dir: string): Promise<DataFolder> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const looked = await look(dir)
  if (looked.kind === 'usable' && looked.format !== FORMAT) await writeFormat(looked.path)
  return looked
}

/** Finds a data folder that is there; nothing is made or written. */
export async function findDataFolder(dir: string): Promise<DataFolder> {
  const isThere = (await stat(dir).catch(() => undefined))?.isDirectory() === true
  if (!isThere) return refused(`there is no folder ${dir}`)
  const looked = await look(dir)
  if (looked.kind === 'refused' || looked.format !== undefined || looked.hasData) return looked
  return refused(`the folder ${looked.path} holds no data`)
}

interface LookedAt {
  readonly kind: 'usable'
  readonly path: string
  /** Undefined when it is not marked. */
  readonly format: number | undefined
  readonly hasData: boolean
}

async function look(dir: string): Promise<LookedAt | Extract<DataFolder, { kind: 'refused' }>> {
  const path = await realpath(dir)
  const names = await readdir(path)
  const foreign = FOREIGN.find((name) => names.includes(name))
  if (foreign !== undefined) {
    return refused(`the folder ${path} belongs to another database (it holds ${foreign})`)
  }
  const hasData = names.includes(DATA_FILE)
  if (!names.includes(FORMAT_FILE)) return { kind: 'usable', path, format: undefined, hasData }
  const format = readFormat(await readFile(join(path, FORMAT_FILE), 'utf8'))
  if (format === undefined) {
    return refused(`the file ${FORMAT_FILE} of the folder ${path} cannot be read`)
  }
  if (format > FORMAT) {
    return refused(
      `the folder ${path} has format ${format}; this version reads up to ${FORMAT}. ` +
        'Use the newer version that wrote it'
    )
  }
  return { kind: 'usable', path, format, hasData }
}

function refused(reason: string): Extract<DataFolder, { kind: 'refused' }> {
  return { kind: 'refused', reason }
}

function readFormat(text: string): number | undefined {
  try {
    const { format } = JSON.parse(text) as { format?: unknown }
    return typeof format === 'number' && Number.isInteger(format) ? format : undefined
  } catch {
    return undefined
  }
}

/** Written beside and moved, so that it is whole or not there. */
async function writeFormat(path: string): Promise<void> {
  const draft = join(path, `.${FORMAT_FILE}-${process.pid}-${randomBytes(4).toString('hex')}`)
  await writeFile(
    draft,
    `${JSON.stringify({ format: FORMAT, writtenBy: '@keelson/local-mongo' })}\n`
  )
  await rename(draft, join(path, FORMAT_FILE))
}
