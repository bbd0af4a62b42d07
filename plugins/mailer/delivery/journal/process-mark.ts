// Names this process, so that another one on the same machine can see whether it ended.
import { readFileSync, readlinkSync } from 'node:fs'

/** A process that wrote a journal. */
export interface ProcessMark {
  /** The run of the operating system, and the space of process ids. */
  readonly machine: string
  readonly pid: number
  /** When it began: a restarted container has the same process ids again. */
  readonly began: number
}

/** The mark of this process; undefined where the system does not say which run of it this is. */
export function ownMark(): ProcessMark | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const machine = `${boot} ${readlinkSync('/proc/self/ns/pid')}`
    return { machine, pid: process.pid, began: Math.trunc(performance.timeOrigin) }
  } catch {
    // Not Linux: a journal could not tell a crash of the process from one of the machine.
    return undefined
  }
}

/**
 * Whether the process of a mark certainly ended, and what it wrote is whole: the system has been running since,
 * so that what it gave to the system is there.
 */
export function hasEnded(mark: ProcessMark, own: ProcessMark | undefined): boolean {
  if (own === undefined || own.machine !== mark.machine) return false
  if (mark.pid === own.pid) return mark.began !== own.began
  return !isAlive(mark.pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
