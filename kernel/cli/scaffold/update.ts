// Brings the files around the code of a plugin up to date with those that create writes today. Pure.
import { createHash } from 'node:crypto'
import type { Files } from './names.ts'
import type { Kind } from './scaffold.ts'

/** Files that authors rarely change. The code of a plugin is its author's and is never written. */
export const AROUND: readonly string[] = ['tsconfig.json', '.gitignore', '.github/workflows/ci.yml']

/** What create notes in package.json, under `keelson.scaffold`. */
interface Note {
  readonly kind: Kind
  /** What a file was when it was written: changed by the author since, it stays. */
  readonly files: Readonly<Record<string, string>>
}

interface Packages {
  readonly keelson?: { readonly scaffold?: Note }
  readonly files?: readonly string[]
  readonly scripts?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly customElements?: string
}

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16)
const print = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
const read = (files: Files): Packages => JSON.parse(files['package.json'] ?? '{}')

/** The files as create writes them: package.json says what the others were. */
export function withNote(files: Files, kind: Kind): Files {
  const around = AROUND.flatMap((name) => {
    const { [name]: text } = files
    return text === undefined ? [] : [[name, hashOf(text)]]
  })
  const scaffold: Note = { kind, files: Object.fromEntries(around) }
  return { ...files, 'package.json': print({ ...read(files), keelson: { scaffold } }) }
}

/** The kind that create noted; undefined for a plugin that it has not written, or before it noted it. */
export const kindOf = (files: Files): Kind | undefined => read(files).keelson?.scaffold?.kind

/** What an update writes, and files that it leaves because their author has changed them. */
export interface Update {
  readonly written: Files
  readonly kept: readonly string[]
}

/** `mine` are the files of the plugin, `fresh` those that create would write for it now. */
export function planUpdate(mine: Files, fresh: Files): Update {
  const noted = read(mine).keelson?.scaffold?.files ?? {}
  const written: Record<string, string> = {}
  const kept: string[] = []
  for (const name of AROUND) {
    const { [name]: own } = mine
    const { [name]: text } = fresh
    if (text === undefined || own === text) continue
    if (own === undefined || hashOf(own) === noted[name]) written[name] = text
    else kept.push(name)
  }
  const packages = print(updatedPackages(read(mine), read(fresh), kept))
  if (packages !== mine['package.json']) written['package.json'] = packages
  return { written, kept }
}

/** Adds what is missing, and takes the ranges of Keelson's packages. What the author has stays. */
function updatedPackages(mine: Packages, fresh: Packages, kept: readonly string[]): Packages {
  const { devDependencies: own = {}, peerDependencies: peers, files = [], scripts } = mine
  const ranges = Object.entries(fresh.devDependencies ?? {}).filter(
    ([name]) => own[name] === undefined || isOldRange(name, own[name])
  )
  const devDependencies = Object.entries({ ...own, ...Object.fromEntries(ranges) })
  const missing = (fresh.files ?? []).filter((file) => !files.includes(file))
  const noted = mine.keelson?.scaffold?.files ?? {}
  const scaffold = fresh.keelson?.scaffold
  const stay = Object.fromEntries(kept.flatMap((name) => [[name, noted[name] ?? '']]))
  return {
    ...mine,
    ...(fresh.customElements !== undefined && { customElements: fresh.customElements }),
    files: [...missing, ...files],
    scripts: { ...fresh.scripts, ...scripts },
    ...(peers !== undefined && { peerDependencies: withRanges(peers, fresh.peerDependencies) }),
    devDependencies: Object.fromEntries(devDependencies.sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(scaffold !== undefined && {
      keelson: { ...mine.keelson, scaffold: { ...scaffold, files: { ...scaffold.files, ...stay } } }
    })
  }
}

/** npm installs no package in two ranges that exclude each other. */
const withRanges = (own: Readonly<Record<string, string>>, fresh: Packages['peerDependencies']) =>
  Object.fromEntries(
    Object.entries(own).map(([name, range]) => [
      name,
      isOldRange(name, range) ? (fresh?.[name] ?? range) : range
    ])
  )

/** A folder that the author gave stays. */
const isOldRange = (name: string, range = ''): boolean =>
  name.startsWith('@keelson/') && /^[~^]?\d/.test(range)
