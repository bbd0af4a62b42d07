// What a process handed over, written to a file of this machine before and after: it outlives `kill -9`.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync
} from 'node:fs'
import { join } from 'node:path'
import {
  keyOf,
  lineOf,
  markLine,
  parseJournal,
  type ReadJournal,
  type Recorded
} from './journal-lines.ts'
import { hasEnded, ownMark } from './process-mark.ts'

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
const FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW
const NAME = /^[0-9a-f]{16}$/
/** The results of a batch are in the database, or its mails are due again, long before. */
const KEPT_MS = 10 * 60_000
/** Files of processes that ended, and whose mails nobody asked for. */
const LEFT_MS = 7 * 86_400_000

/** The journal of one batch. */
export interface BatchJournal {
  /** Kept with each attempt, so that the process that gets the mail next finds the file. */
  readonly name: string
  /** Before a delivery. False when it could not be written: then the mail must not leave. */
  begin(sendId: string, attempt: number): boolean
  /** After it. */
  end(sendId: string, attempt: number, recorded: Recorded): void
  /** The batch is over. */
  close(): void
}

/** The journals of a folder. */
export interface DeliveryJournal {
  /** Undefined where none can be written: then what was recorded in the database is in doubt after a crash. */
  open(): BatchJournal | undefined
  /** The journal of a process that certainly ended on this machine; undefined: nothing follows. */
  read(name: string): ReadJournal | undefined
}

/** Opens the journals of a folder, and removes those that are no longer needed. */
export function openDeliveryJournal(
  folder: string,
  onFailure: (error: unknown) => void
): DeliveryJournal {
  const own = ownMark()
  const over = new Map<string, number>()
  return {
    open() {
      removeOver(folder, over)
      if (own === undefined) return undefined
      const name = randomBytes(8).toString('hex')
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        if (over.size === 0) removeLeft(folder)
        const file = openSync(join(folder, name), FLAGS, 0o600)
        const onClose = () => void over.set(name, performance.now())
        const journal = batchJournal({ name, file, onFailure, onClose })
        if (journal.write(markLine(own))) return journal
        journal.close()
      } catch (error) {
        onFailure(error)
      }
      return undefined
    },
    read(name) {
      const journal = NAME.test(name) ? readFile(join(folder, name)) : undefined
      // A batch of this process that is over hands nothing over any more.
      const isWhole = journal !== undefined && (over.has(name) || hasEnded(journal.mark, own))
      return isWhole ? journal : undefined
    }
  }
}

function readFile(path: string): ReadJournal | undefined {
  try {
    return parseJournal(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

interface OpenFile {
  readonly name: string
  readonly file: number
  onFailure(error: unknown): void
  onClose(): void
}

function batchJournal({ name, file, onFailure, onClose }: OpenFile) {
  let isWhole = true
  let isOpen = true
  // The system has the bytes when this returns, so they outlive the process.
  const write = (line: string): boolean => {
    if (!isOpen || !isWhole) return false
    try {
      isWhole = writeSync(file, line) === Buffer.byteLength(line)
    } catch (error) {
      isWhole = false
      onFailure(error)
    }
    return isWhole
  }
  return {
    name,
    write,
    begin: (sendId: string, attempt: number) =>
      write(lineOf(keyOf(sendId, attempt), { kind: 'open' })),
    end: (sendId: string, attempt: number, recorded: Recorded) =>
      void write(lineOf(keyOf(sendId, attempt), recorded)),
    close() {
      if (!isOpen) return
      isOpen = false
      closeSync(file)
      onClose()
    }
  }
}

function removeOver(folder: string, over: Map<string, number>): void {
  for (const [name, at] of over) {
    if (performance.now() - at <= KEPT_MS) return
    over.delete(name)
    remove(join(folder, name))
  }
}

/** A folder is read once in a while: when this process has no journal that is over. */
function removeLeft(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (NAME.test(name) && Date.now() - statSync(path).mtimeMs > LEFT_MS) remove(path)
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Another process was faster.
  }
}
