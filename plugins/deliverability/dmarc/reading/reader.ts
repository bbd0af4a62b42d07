// Threads that read report files: the host answers other requests meanwhile, and a hostile file ends its thread only.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { KeelsonError, within } from '@keelson/sdk'
import type { AggregateRecord } from '../aggregate/report.ts'
import { errors } from '../errors.ts'
import { createLine, type FairLine, type LineLimits } from './fair-line.ts'
import type { FromReader, ToReader } from './messages.ts'
import type { FileReading, FoundReport, GivenFile } from './read-file.ts'

/** What reading one file may take, and how many wait. */
export interface ReadLimits {
  /** Milliseconds of the first try. What takes longer, or has many records, does not hold up the others. */
  readonly quickMs: number
  /** Milliseconds of reading, without the time that its caller takes for batches. */
  readonly timeMs: number
  readonly heapMb: number
  readonly quick: LineLimits
  readonly slow: LineLimits
}

const LINE = { waiting: 40, waitingOfOne: 20, waitingBytes: 67_108_864 }
const LIMITS: ReadLimits = {
  quickMs: 3_000,
  timeMs: 60_000,
  heapMb: 256,
  quick: { ...LINE, places: 1 },
  slow: { ...LINE, places: 2 }
}
/** When a file that found the line full may come again. */
export const BUSY_SECONDS = 10

/** Whether a file found the line full. */
export const isBusy = (error: unknown): boolean =>
  KeelsonError.is(error) && error.code === 'DMR_BUSY'

const IDLE_MS = 30_000
/** Records in a batch: few enough that the host's thread is not busy for long with one. */
const BATCH = 500
const PROGRAM = new URL('./read-worker.js', import.meta.url)

/** One file that is being read. */
export interface OpenFile {
  /** Everything in it; the records of large reports are left out. @throws a DMR_ error */
  read(): Promise<FileReading>
  /** The records of one aggregate report, counted from 0. */
  records(index: number): AsyncGenerator<readonly AggregateRecord[]>
}

/** Reads files in threads. */
export interface Reader {
  /**
   * Reads a file. A large or slow one holds a thread until `use` ends.
   *
   * @param from the sender of the file: senders take turns
   * @throws DMR_BUSY when too many files wait
   */
  open<T>(file: GivenFile, from: string, use: (open: OpenFile) => Promise<T>): Promise<T>
  /** Ends all threads. */
  close(): Promise<void>
}

/** Makes a reader, without any thread until the first file. */
export function createReader(given: Partial<ReadLimits> = {}): Reader {
  const limits = { ...LIMITS, ...given }
  const { quickMs, timeMs } = limits
  const [quick, slow] = [createLine(limits.quick), createLine(limits.slow)]
  const threads = createThreads(limits.heapMb)

  const withThread = async <T>(
    { file, from, timeMs, line }: ThreadWanted,
    use: (talk: Talk) => Promise<T>
  ): Promise<T> => {
    const leave = await line.enter(from, file.bytes.length)
    const talk = { worker: threads.take(), file, timeMs, isSpoilt: false, isOverdue: false }
    try {
      return await use(talk)
    } finally {
      if (talk.isSpoilt) void talk.worker.terminate()
      else threads.rest(talk.worker)
      leave()
    }
  }
  const readQuickly = (file: GivenFile, from: string) =>
    withThread({ file, from, timeMs: quickMs, line: quick }, async (talk) => {
      try {
        return await readThrough(talk)
      } catch (error) {
        if (talk.isOverdue) return undefined
        throw error
      }
    })

  return {
    async open(file, from, use) {
      const reading = await readQuickly(file, from)
      if (reading?.reports.every(isComplete)) {
        return use({ read: async () => reading, records: (index) => recordsOf(reading, index) })
      }
      return withThread({ file, from, timeMs, line: slow }, (talk) =>
        use({
          read: async () => reading ?? readThrough(talk),
          records: (index) => recordsThrough(talk, index)
        })
      )
    },
    close: () => threads.close()
  }
}

interface ThreadWanted {
  readonly file: GivenFile
  readonly from: string
  readonly timeMs: number
  readonly line: FairLine
}

const isComplete = (found: FoundReport): boolean =>
  found.kind !== 'aggregate' || found.rows !== undefined

async function* recordsOf({ reports }: FileReading, index: number) {
  const aggregates = reports.filter((found) => found.kind === 'aggregate')
  yield aggregates[index]?.rows ?? []
}

/** Threads that rest for a while after a file. */
function createThreads(heapMb: number) {
  const all = new Set<Worker>()
  const idle: Worker[] = []
  let ending: NodeJS.Timeout | undefined
  const endIdle = () => {
    for (const worker of idle.splice(0)) void worker.terminate()
  }
  return {
    take() {
      clearTimeout(ending)
      const resting = idle.splice(0).filter((worker) => all.has(worker))
      const worker = resting.pop() ?? startThread(heapMb, all)
      idle.push(...resting)
      worker.ref()
      return worker
    },
    rest(worker: Worker) {
      worker.unref()
      idle.push(worker)
      clearTimeout(ending)
      ending = setTimeout(endIdle, IDLE_MS)
      ending.unref()
    },
    async close() {
      clearTimeout(ending)
      await Promise.all([...all].map((worker) => worker.terminate()))
    }
  }
}

interface Talk {
  readonly worker: Worker
  readonly file: GivenFile
  readonly timeMs: number
  /** The thread ended, or is in the middle of something: it must not be used again. */
  isSpoilt: boolean
  isOverdue: boolean
}

function startThread(heapMb: number, all: Set<Worker>): Worker {
  const worker = new Worker(PROGRAM, { resourceLimits: { maxOldGenerationSizeMb: heapMb } })
  all.add(worker)
  worker.once('exit', () => all.delete(worker))
  // A thread that dies while it rests must not take the process with it.
  worker.on('error', () => {})
  return worker
}

async function readThrough(talk: Talk): Promise<FileReading> {
  const answer = await ask(talk, { type: 'read', file: talk.file })
  if (answer.type === 'read') return answer.reading
  throw refused(answer, talk)
}

async function* recordsThrough(
  talk: Talk,
  index: number
): AsyncGenerator<readonly AggregateRecord[]> {
  let answer = await ask(talk, { type: 'records', file: talk.file, index, batch: BATCH })
  // Until the last batch was taken, the thread is in the middle of the file.
  talk.isSpoilt = true
  while (answer.type === 'batch') {
    // The thread reads on while the caller stores.
    const next = ask(talk, { type: 'next' })
    next.catch(() => {})
    yield answer.records
    answer = await next
  }
  talk.isSpoilt = false
  if (answer.type !== 'end') throw refused(answer, talk)
}

async function ask(talk: Talk, message: ToReader): Promise<FromReader> {
  const { worker, timeMs } = talk
  const heard = new AbortController()
  const { signal } = heard
  const name = talk.file.filename
  const overdue = () => {
    talk.isOverdue = true
    return errors.DMR_READING({ name, problem: `it takes more than ${timeMs / 1000} s` })
  }
  try {
    const answer = Promise.race([once(worker, 'message', { signal }), ended(worker, signal)])
    worker.postMessage(message)
    const [found] = await within(answer, { deadline: { ms: timeMs, overdue } })
    return found
  } catch (error) {
    talk.isSpoilt = true
    const { code } = error as { readonly code?: string }
    if (code === 'DMR_READING') throw error
    const isTooMuch = code === 'ERR_WORKER_OUT_OF_MEMORY'
    const problem = isTooMuch ? 'it takes too much memory' : 'its reader ended'
    throw errors.DMR_READING({ name, problem, cause: error })
  } finally {
    heard.abort()
  }
}

/** Rejects when the thread ends; an error in it is its reason. */
async function ended(worker: Worker, signal: AbortSignal): Promise<never> {
  await once(worker, 'exit', { signal })
  throw new Error('The reader ended')
}

function refused(answer: FromReader, { file }: Talk): Error {
  if (answer.type !== 'failed') {
    return errors.DMR_READING({ name: file.filename, problem: 'its reader is out of step' })
  }
  const code = answer.code as keyof typeof errors
  return (errors[code] ?? errors.DMR_READING)(answer.details)
}
