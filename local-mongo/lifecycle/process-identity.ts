// Who a process is, beyond its number: a number alone may be another process by now.
import { createHash } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'

/** Identifies a process, so that a later one with the same number is not taken for it. */
export interface ProcessIdentity {
  readonly pid: number
  /** When it began, in the system's own measure; '' where that cannot be known. */
  readonly began: string
  /** A digest of the machine's boot and the namespace in which the number means something. */
  readonly world: string
}

/** A process of this machine, this one unless another is named. */
export async function identify(pid = process.pid): Promise<ProcessIdentity> {
  return { pid, began: await beginOf(pid), world: await readWorld() }
}

/** Whether a process runs; `unknown` when its number means nothing here (another container). */
export async function isRunning(identity: ProcessIdentity): Promise<boolean | 'unknown'> {
  if (identity.world !== (await readWorld())) return 'unknown'
  try {
    process.kill(identity.pid, 0)
  } catch (error) {
    // EPERM: it is there, and someone else's.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  return (await beginOf(identity.pid)) === identity.began
}

/** Field 22 of Linux's stat line; a dead process that nobody has waited for counts as gone. */
async function beginOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state] = fields
    return state === 'Z' || state === 'X' ? 'gone' : (fields[19] ?? '')
  } catch {
    return ''
  }
}

async function readWorld(): Promise<string> {
  const read = async (reading: Promise<string>): Promise<string> =>
    (await reading.catch(() => '')).trim()
  const boot = await read(readFile('/proc/sys/kernel/random/boot_id', 'utf8'))
  const namespace = await read(readlink('/proc/self/ns/pid'))
  return createHash('sha256').update(`${boot} ${namespace}`).digest('hex').slice(0, 16)
}
