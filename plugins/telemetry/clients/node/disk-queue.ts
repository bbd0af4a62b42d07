// Batches that wait on disk: one file each, written before it is sent, gone when it was taken.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomHex } from '../identifiers.ts'
import type { ClientRecord } from '../record.ts'

/** A batch with where it lies; `file` is absent when there is no folder, or no room. */
export interface Batch {
  readonly records: readonly ClientRecord[]
  readonly file?: string
}

export interface DiskQueue {
  /** Writes a batch; never fails: what cannot be written is only in memory. */
  put(records: readonly ClientRecord[]): Promise<Batch>
  /** As put, at the end of the process. */
  putAtOnce(records: readonly ClientRecord[]): void
  done(batch: Batch): Promise<void>
  /** A batch that was put before; undefined when its file went to make room. */
  read(file: string): Promise<Batch | undefined>
  /** Oldest batches of processes that are gone; what is too old or unreadable is removed. */
  adopt(now: number): Promise<Batch[]>
}

export interface DiskQueueOptions {
  readonly folder: string
  /** Default 64 MB: beyond it the oldest files go. */
  readonly maxBytes: number
  readonly onError: (error: unknown) => void
}

const WEEK_MS = 7 * 86_400_000
/** What stays of a full folder, so that not every file that follows has to make room for itself. */
const KEPT_SHARE = 0.9
const NAME = /^(\d{13})-(\d+)-[0-9a-f]{8}\.json$/
/** Files of this process. In containers every process has the same number: it does not tell them apart. */
const own = new Set<string>()

export function openDiskQueue({ folder, maxBytes, onError }: DiskQueueOptions): DiskQueue {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const freshName = () => {
    const file = join(folder, `${Date.now()}-${process.pid}-${randomHex(4)}.json`)
    own.add(file)
    return file
  }
  const mode = 0o600

  /** Bytes that may be written before the folder is looked through again. */
  let room = Number.POSITIVE_INFINITY

  async function makeRoom(): Promise<void> {
    const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort()
    const sizes = await Promise.all(names.map((name) => sizeOf(join(folder, name))))
    let total = sizes.reduce((sum, size) => sum + size, 0)
    const most = total > maxBytes ? maxBytes * KEPT_SHARE : maxBytes
    for (const [at, name] of names.entries()) {
      if (total <= most) break
      total -= sizes[at] ?? 0
      await rm(join(folder, name), { force: true })
      onError(new Error(`the disk queue is full: ${name} was dropped`))
    }
    room = maxBytes - total
  }

  return {
    async put(records) {
      const file = freshName()
      try {
        const bytes = Buffer.from(JSON.stringify(records))
        await writeFile(`${file}.part`, bytes, { mode })
        await rename(`${file}.part`, file)
        room -= bytes.length
        if (room < 0) await makeRoom().catch(onError)
        return { records, file }
      } catch (error) {
        onError(error)
        return { records }
      }
    },
    putAtOnce(records) {
      const file = freshName()
      try {
        writeFileSync(`${file}.part`, JSON.stringify(records), { mode })
        renameSync(`${file}.part`, file)
      } catch (error) {
        onError(error)
      }
    },
    async done({ file }) {
      if (file === undefined) return
      await rm(file, { force: true }).catch(onError)
      own.delete(file)
    },
    async read(file) {
      const records = await readBatch(file)
      return records && { records, file }
    },
    async adopt(now) {
      await makeRoom()
      const batches: Batch[] = []
      for (const name of (await readdir(folder)).sort()) {
        const [, at, pid] = NAME.exec(name) ?? []
        if (at === undefined || pid === undefined) continue
        const file = join(folder, name)
        if (own.has(file) || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue
        const records = Number(at) > now - WEEK_MS ? await readBatch(file) : undefined
        if (records === undefined) await rm(file, { force: true })
        else batches.push({ records, file })
      }
      return batches
    }
  }
}

const sizeOf = async (file: string) => (await stat(file).catch(() => undefined))?.size ?? 0

async function readBatch(file: string): Promise<readonly ClientRecord[] | undefined> {
  try {
    const records: unknown = JSON.parse(await readFile(file, 'utf8'))
    return Array.isArray(records) ? (records as ClientRecord[]) : undefined
  } catch {
    return undefined
  }
}

/** Its number may belong to another process by now: then the files wait for a later start. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM'
  }
}
