// The lock of a data folder: one process at a time, taken over at once when its holder has died.
//
// Each holder makes a file `lock.<n>`, n one higher than that of the holder before. Making a file
// that must not exist yet is atomic, so of several who see the same dead holder one wins. The file
// with the highest number is never removed, so no number is used twice, and whoever makes n has seen
// that the holder of n - 1 is gone.
import { randomBytes } from 'node:crypto'
import { link, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessIdentity } from './process-identity.ts'
import { identifySelf, isRunning } from './process-identity.ts'

/** A holder in another container shows that it lives by touching its file this often. */
const HEARTBEAT_MS = 2_000
/** Older signs of life are not believed. */
const HEARTBEAT_LOST_MS = 10_000
const NAME = /^lock\.(\d+)$/

/** The lock, held. */
export interface FolderLock {
  readonly kind: 'held'
  release(): Promise<void>
}

/** Somebody else holds the lock. */
export interface LockedFolder {
  readonly kind: 'in use'
  readonly pid: number
}

interface Record {
  readonly holder: ProcessIdentity
  /** True once its holder has let go while living on. */
  readonly released: boolean
}

/** Takes the lock of a folder that exists, or says who holds it. */
export async function lockFolder(dir: string): Promise<FolderLock | LockedFolder> {
  const holder = await identifySelf()
  const draft = join(dir, `.lock-${process.pid}-${randomBytes(6).toString('hex')}`)
  await writeFile(draft, JSON.stringify({ holder, released: false } satisfies Record), {
    mode: 0o600
  })
  try {
    for (;;) {
      const newest = await newestLock(dir)
      const pid = newest > 0 ? await livingHolder(join(dir, `lock.${newest}`)) : undefined
      if (pid !== undefined) return { kind: 'in use', pid }
      const mine = join(dir, `lock.${newest + 1}`)
      if (!(await linkNew(draft, mine))) continue
      if ((await newestLock(dir)) > newest + 1) {
        // Slept so long that later holders have come, and removed this number before it was made.
        await rm(mine, { force: true })
        continue
      }
      await removeOlder(dir, newest + 1)
      return hold(mine, holder)
    }
  } finally {
    await rm(draft, { force: true })
  }
}

/** The process that holds the lock of a folder, if any does. */
export async function lockHolder(dir: string): Promise<number | undefined> {
  const newest = await newestLock(dir)
  return newest > 0 ? livingHolder(join(dir, `lock.${newest}`)) : undefined
}

async function newestLock(dir: string): Promise<number> {
  const numbers = (await readdir(dir)).map((name) => Number(NAME.exec(name)?.[1] ?? 0))
  return Math.max(0, ...numbers)
}

async function livingHolder(path: string): Promise<number | undefined> {
  const record = await readRecord(path)
  if (!record || record.released) return undefined
  const running = await isRunning(record.holder)
  if (running === 'unknown') {
    const { mtimeMs } = await stat(path)
    return Date.now() - mtimeMs < HEARTBEAT_LOST_MS ? record.holder.pid : undefined
  }
  return running ? record.holder.pid : undefined
}

async function readRecord(path: string): Promise<Record | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record
  } catch {
    // Removed by the next holder, or torn by a power cut: nobody lives behind it.
    return undefined
  }
}

async function linkNew(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function removeOlder(dir: string, mine: number): Promise<void> {
  for (const name of await readdir(dir)) {
    const number = Number(NAME.exec(name)?.[1] ?? mine)
    if (number < mine) await rm(join(dir, name), { force: true })
  }
}

function hold(path: string, holder: ProcessIdentity): FolderLock {
  const beat = setInterval(() => {
    const now = new Date()
    // The folder may be gone; whoever holds it then harms nobody.
    utimes(path, now, now).catch(() => {})
  }, HEARTBEAT_MS)
  beat.unref()
  return {
    kind: 'held',
    async release() {
      clearInterval(beat)
      const draft = `${path}.released`
      try {
        await writeFile(draft, JSON.stringify({ holder, released: true } satisfies Record))
        await rename(draft, path)
      } catch {
        // A folder that was removed needs no lock.
      }
    }
  }
}
