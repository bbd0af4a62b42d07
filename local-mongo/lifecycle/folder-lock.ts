// The lock of a data folder: one process at a time, taken over at once when its holder has died.
//
// Each holder makes a symbolic link `lock.<n>` whose target is no path but the holder's identity; n is
// one higher than that of the holder before. Making a link is atomic and fails when the name is there,
// so of several who see the same dead holder one wins, and it needs no room on a full disk. The link
// with the highest number is never removed, so no number is used twice, and whoever makes n has seen
// that the holder of n - 1 is gone.
import { randomBytes } from 'node:crypto'
import { lstat, lutimes, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessIdentity } from './process-identity.ts'
import { identifySelf, isRunning } from './process-identity.ts'

/** A holder in another container shows that it lives by touching its link this often. */
const HEARTBEAT_MS = 2_000
/** Older signs of life are not believed. */
const HEARTBEAT_LOST_MS = 10_000
const NAME = /^lock\.(\d+)$/
/** The target of a link whose holder has let go while living on. */
const RELEASED = 'released'

/** The lock, held. */
export interface FolderLock {
  readonly kind: 'held'
  release(): Promise<void>
}

/** Another process holds the lock. */
export interface LockedFolder {
  readonly kind: 'in use'
  readonly pid: number
}

/** Takes the lock of a folder that exists, or says who holds it. */
export async function lockFolder(dir: string): Promise<FolderLock | LockedFolder> {
  const holder = spellHolder(await identifySelf())
  for (;;) {
    const newest = await newestLock(dir)
    const pid = newest > 0 ? await livingHolder(join(dir, `lock.${newest}`)) : undefined
    if (pid !== undefined) return { kind: 'in use', pid }
    const mine = join(dir, `lock.${newest + 1}`)
    if (!(await makeLink(holder, mine))) continue
    if ((await newestLock(dir)) > newest + 1) {
      // Slept so long that later holders have come, and removed this number before it was made.
      await rm(mine, { force: true })
      continue
    }
    await removeOlder(dir, newest + 1)
    return hold(mine)
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
  const holder = await readHolder(path)
  if (!holder) return undefined
  const running = await isRunning(holder)
  if (running === 'unknown') {
    const { mtimeMs } = await lstat(path)
    return Date.now() - mtimeMs < HEARTBEAT_LOST_MS ? holder.pid : undefined
  }
  return running ? holder.pid : undefined
}

const spellHolder = ({ pid, began, world }: ProcessIdentity): string => `${pid} ${began} ${world}`

/** Nothing when it was let go, or removed by the next holder: nobody lives behind it. */
async function readHolder(path: string): Promise<ProcessIdentity | undefined> {
  const text = await readlink(path).catch(() => RELEASED)
  if (text === RELEASED) return undefined
  const [pid, began = '', world = ''] = text.split(' ')
  return { pid: Number(pid), began, world }
}

async function makeLink(holder: string, path: string): Promise<boolean> {
  try {
    await symlink(holder, path)
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

function hold(path: string): FolderLock {
  const beat = setInterval(() => {
    const now = new Date()
    // The folder may be gone; whoever holds it then harms nobody.
    lutimes(path, now, now).catch(() => {})
  }, HEARTBEAT_MS)
  beat.unref()
  return {
    kind: 'held',
    async release() {
      clearInterval(beat)
      const draft = `${path}-${randomBytes(4).toString('hex')}`
      try {
        await symlink(RELEASED, draft)
        await rename(draft, path)
      } catch {
        // A folder that was removed needs no lock.
      }
    }
  }
}
