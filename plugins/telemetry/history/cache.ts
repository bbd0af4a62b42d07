// Files of segments on this machine: named after the hash of their bytes, so that a lost or foreign one harms nothing.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KeelsonError } from '@keelson/sdk'
import { ListChanged } from './list-changed.ts'

export interface CacheOptions {
  /** The first that can be written is used. */
  readonly folders: readonly string[]
  readonly maxBytes: number
}

/** The bytes of a segment; undefined when they are missing or damaged. */
export type FetchBytes = (id: string) => Promise<Uint8Array | undefined>

interface Entry {
  readonly path: string
  readonly bytes: number
  pins: number
}

const NAME = /^([0-9a-f]{64})\.parquet$/
/** Files in the making, which a process that was killed has left. */
const PART = /^([0-9a-f]{64}\.parquet\.)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.part)?$/
/** Downloads at the same time. */
const AT_ONCE = 4

export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

export class SegmentCache {
  readonly #options: CacheOptions
  /** In order of use, the latest last. */
  readonly #entries = new Map<string, Entry>()
  readonly #coming = new Map<string, Promise<Entry | undefined>>()
  #isCleaned: Promise<void> | undefined
  #unwritten:
    | { readonly folder: string; readonly reason: string; readonly isLast: boolean }
    | undefined
  #foreign: { readonly folder: string; readonly files: number } | undefined

  constructor(options: CacheOptions) {
    this.#options = options
  }

  get bytes(): number {
    return [...this.#entries.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Whether no folder could be written when that was last tried: bytes that are well cannot be read. */
  get isGivenUp(): boolean {
    return this.#unwritten?.isLast === true
  }

  /** What is wrong with its folders, and what to do; undefined when all is well. */
  get problem(): string | undefined {
    if (this.#unwritten !== undefined) {
      const { folder, reason, isLast } = this.#unwritten
      const meanwhile = isLast
        ? 'reads are without the sealed records that need it'
        : 'the temporary folder of the system is used'
      return `The cache of sealed records cannot be written in ${folder} (${reason}); ${meanwhile}. Make room there, or set history.cacheDir.`
    }
    if (this.#foreign === undefined) return undefined
    const { folder, files } = this.#foreign
    return `The cache of sealed records in ${folder} has ${files} files of something else, which are left alone. Set history.cacheDir to a folder of its own.`
  }

  /**
   * Runs `work` with the path of each segment's file; a segment whose bytes are missing has none. Files stay
   * meanwhile, as far as this process can tell: when another one took some away or damaged them, `whenLost` goes on.
   * Default: they are brought again, and `work` runs once more.
   */
  async use<T>(
    ids: readonly string[],
    fetch: FetchBytes,
    work: (paths: ReadonlyMap<string, string>) => Promise<T>,
    { whenLost = () => this.#hold(ids, fetch, work) }: { readonly whenLost?: () => Promise<T> } = {}
  ): Promise<T> {
    const first = await this.#hold(ids, fetch, async (paths) => {
      try {
        return { value: await work(paths) }
      } catch (error) {
        const isOther = KeelsonError.is(error) || error instanceof ListChanged
        if (isOther || !(await this.forgetDamaged([...paths.keys()]))) throw error
        return undefined
      }
    })
    return first === undefined ? whenLost() : first.value
  }

  async #hold<T>(
    ids: readonly string[],
    fetch: FetchBytes,
    work: (paths: ReadonlyMap<string, string>) => Promise<T>
  ): Promise<T> {
    this.#isCleaned ??= this.#clean()
    await this.#isCleaned
    const held = new Map<string, Entry>()
    try {
      await each(ids, AT_ONCE, async (id) => {
        const entry = await this.#find(id, fetch)
        if (entry === undefined) return
        entry.pins++
        held.set(id, entry)
      })
      return await work(new Map([...held].map(([id, { path }]) => [id, path])))
    } finally {
      for (const entry of held.values()) entry.pins--
      await this.#evict()
    }
  }

  /** A path for a file in the making. @throws when no folder can be written */
  newPath(): Promise<string> {
    return this.withNewPath(async (path) => path)
  }

  /** Runs `make` with such a path: in the next folder when it fails in one. @throws as `make` in the last one. */
  withNewPath<T>(make: (path: string) => Promise<T>): Promise<T> {
    return this.#inFolder((folder) => make(join(folder, `${randomUUID()}.part`)))
  }

  /** Removes the files of all other segments: what is no longer stored is not kept here either. */
  async keepOnly(ids: ReadonlySet<string>): Promise<void> {
    for (const [id, { pins }] of [...this.#entries]) {
      if (!ids.has(id) && pins === 0) await this.forget(id)
    }
    for (const folder of this.#options.folders) {
      for (const name of await readdir(folder).catch(() => [])) {
        const [, id] = NAME.exec(name) ?? []
        const isKept = id === undefined || ids.has(id) || this.#entries.has(id)
        if (!isKept) await rm(join(folder, name), { force: true })
      }
    }
  }

  /** Removes a file. */
  async forget(id: string): Promise<void> {
    const entry = this.#entries.get(id)
    this.#entries.delete(id)
    if (entry !== undefined) await rm(entry.path, { force: true })
  }

  /** Forgets files that do not hold what their name says; whether there was one. */
  async forgetDamaged(ids: readonly string[]): Promise<boolean> {
    let isFound = false
    for (const id of ids) {
      const entry = this.#entries.get(id)
      const bytes = entry && (await readFile(entry.path).catch(() => undefined))
      if (bytes !== undefined && hashOf(bytes) === id) continue
      isFound = true
      await this.forget(id)
    }
    return isFound
  }

  /** Removes what a process that was killed has left. */
  async #clean(): Promise<void> {
    for (const folder of this.#options.folders) {
      const names = await readdir(folder).catch(() => [])
      for (const name of names) if (PART.test(name)) await removeOld(join(folder, name))
      const files = names.filter((name) => !NAME.test(name) && !PART.test(name)).length
      if (files > 0) this.#foreign ??= { folder, files }
    }
  }

  async #find(id: string, fetch: FetchBytes): Promise<Entry | undefined> {
    const known = this.#entries.get(id)
    if (known !== undefined) {
      this.#entries.delete(id)
      this.#entries.set(id, known)
      return known
    }
    const busy =
      this.#coming.get(id) ?? this.#bring(id, fetch).finally(() => this.#coming.delete(id))
    this.#coming.set(id, busy)
    return busy
  }

  async #bring(id: string, fetch: FetchBytes): Promise<Entry | undefined> {
    const entry = (await this.#adopt(id)) ?? (await this.#download(id, fetch))
    if (entry !== undefined) this.#entries.set(id, entry)
    return entry
  }

  /** A file of this name that holds what the name says. */
  async #adopt(id: string): Promise<Entry | undefined> {
    for (const folder of this.#options.folders) {
      const path = join(folder, `${id}.parquet`)
      const bytes = await readFile(path).catch(() => undefined)
      if (bytes !== undefined && hashOf(bytes) === id) return { path, bytes: bytes.length, pins: 0 }
    }
    return undefined
  }

  async #download(id: string, fetch: FetchBytes): Promise<Entry | undefined> {
    const bytes = await fetch(id)
    if (bytes === undefined || hashOf(bytes) !== id) return undefined
    const written = this.#inFolder(async (folder) => {
      const file = join(folder, `${id}.parquet`)
      const part = `${file}.${randomUUID()}`
      try {
        await writeFile(part, bytes, { mode: 0o600 })
        await rename(part, file)
      } catch (error) {
        await rm(part, { force: true }).catch(() => undefined)
        throw error
      }
      return file
    })
    // The read goes on without it, and `problem` says why.
    const path = await written.catch(() => undefined)
    return path === undefined ? undefined : { path, bytes: bytes.length, pins: 0 }
  }

  /** In the first folder that takes it. */
  async #inFolder<T>(write: (folder: string) => Promise<T>): Promise<T> {
    const { folders } = this.#options
    let problem: { readonly folder: string; readonly reason: string } | undefined
    let last: unknown
    for (const folder of folders) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const made = await write(folder)
        this.#unwritten = problem && { ...problem, isLast: false }
        return made
      } catch (error) {
        if (KeelsonError.is(error)) throw error
        last = error
        problem ??= { folder, reason: reasonOf(error) }
      }
    }
    this.#unwritten = problem && { ...problem, isLast: true }
    throw last
  }

  async #evict(): Promise<void> {
    let left = this.bytes
    for (const [id, { bytes, pins }] of [...this.#entries]) {
      if (left <= this.#options.maxBytes) return
      if (pins > 0) continue
      left -= bytes
      await this.forget(id)
    }
  }
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string }
  return typeof code === 'string' ? code : String(message).slice(0, 200)
}

const HOUR_MS = 3_600_000

async function removeOld(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined && Date.now() - found.mtimeMs > HOUR_MS) await rm(path, { force: true })
}

async function each<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>
): Promise<void> {
  let next = 0
  const run = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, run))
}
