// The lock of a data folder: one process at a time, taken over at once when its holder has died.
//
// Each holder makes a symbolic link `lock.<n>` whose target is no path but the holder's identity; n is
// one higher than that of the holder before. Making a link is atomic and fails when the name is there,
// so of several who see the same dead holder one wins, and it needs no room on a full disk. The link
// with the highest number is never removed, so no number is used twice, and whoever makes n has seen
// that the holder of n - 1 is gone. A holder that is started again when it dies names the process that does
// so as well: while that one lives the folder is kept for the next holder.
import { randomBytes } from 'node:crypto'
import { lstat, lutimes, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ProcessIdentity } from './process-identity.ts'
import { identify, isRunning } from './process-identity.ts'

/** A holder in another container shows that it lives by touching its link this often. */
const HEARTBEAT_MS = 2_000
/** Older signs of life are not believed. */
const HEARTBEAT_LOST_MS = 10_000
/** A holder whose supervisor has died ends by itself, and is waited for. */
const LEAVE_MS = 10_000
const LOOK_MS = 10
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

/**
 * Takes the lock of a folder that exists, or says who holds it. `supervisor` is the id of the process that starts
 * this one again when it dies.
 */
export async function lockFolder(
  dir: string,
  supervisor?: number
): Promise<FolderLock | LockedFolder> {
  const self = await identify()
  const spelled = spellHolder({
    self,
    supervisor: supervisor === undefined ? undefined : await identify(supervisor)
  })
  const waitUntil = Date.now() + LEAVE_MS
  for (;;) {
    const newest = await newestLock(dir)
    const living = newest > 0 ? await livingHolder(join(dir, `lock.${newest}`)) : undefined
    if (living?.isLeaving && Date.now() < waitUntil) {
      await delay(LOOK_MS)
      continue
    }
    if (living && living.pid !== supervisor) return { kind: 'in use', pid: living.pid }
    const mine = join(dir, `lock.${newest + 1}`)
    if (!(await makeLink(spelled, mine))) continue
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
  return newest > 0 ? (await livingHolder(join(dir, `lock.${newest}`)))?.pid : undefined
}

async function newestLock(dir: string): Promise<number> {
  const numbers = (await readdir(dir)).map((name) => Number(NAME.exec(name)?.[1] ?? 0))
  return Math.max(0, ...numbers)
}

interface Holder {
  readonly self: ProcessIdentity
  readonly supervisor: ProcessIdentity | undefined
}

interface LivingHolder {
  readonly pid: number
  /** It lives on without its supervisor, and so not for long. */
  readonly isLeaving: boolean
}

/** Between two holders of one supervisor this is the supervisor. */
async function livingHolder(path: string): Promise<LivingHolder | undefined> {
  const holder = await readHolder(path)
  if (!holder) return undefined
  const { self, supervisor } = holder
  const running = await isRunning(self)
  if (running === 'unknown') {
    const { mtimeMs } = await lstat(path)
    const isBelieved = Date.now() - mtimeMs < HEARTBEAT_LOST_MS
    return isBelieved ? { pid: self.pid, isLeaving: false } : undefined
  }
  const isSupervised = supervisor !== undefined && (await isRunning(supervisor)) === true
  if (running) return { pid: self.pid, isLeaving: supervisor !== undefined && !isSupervised }
  return isSupervised ? { pid: supervisor.pid, isLeaving: false } : undefined
}

function spellHolder({ self, supervisor }: Holder): string {
  const spelled = `${self.pid} ${self.began} ${self.world}`
  return supervisor ? `${spelled} ${supervisor.pid} ${supervisor.began}` : spelled
}

/** Nothing when it was let go, or removed by the next holder: nobody lives behind it. */
async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await readlink(path).catch(() => RELEASED)
  if (text === RELEASED) return undefined
  const [pid, began = '', world = '', supervisor, supervisorBegan = ''] = text.split(' ')
  return {
    self: { pid: Number(pid), began, world },
    supervisor:
      supervisor === undefined
        ? undefined
        : { pid: Number(supervisor), began: supervisorBegan, world }
  }
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
