// Threads that read report files: the host answers other requests meanwhile, and a hostile file ends its thread only.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { within } from '@keelson/sdk'
import type { AggregateRecord } from '../aggregate/report.ts'
import { errors } from '../errors.ts'
import type { FromReader, ToReader } from './messages.ts'
import type { FileReading, GivenFile } from './read-file.ts'

/** What reading one file may take. */
export interface ReadLimits {
  /** Milliseconds of reading, without the time that its caller takes for batches. */
  readonly timeMs: number
  readonly heapMb: number
  /** Threads of this process; further files wait for one. */
  readonly threads: number
}

const LIMITS: ReadLimits = { timeMs: 60_000, heapMb: 256, threads: 2 }
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
  /** Holds a thread until `use` ends. */
  open<T>(file: GivenFile, use: (open: OpenFile) => Promise<T>): Promise<T>
  /** Ends all threads. */
  close(): Promise<void>
}

/** Makes a reader, without any thread until the first file. */
export function createReader(limits: ReadLimits = LIMITS): Reader {
  const all = new Set<Worker>()
  const idle: Worker[] = []
  const waiting: (() => void)[] = []
  let taken = 0
  let ending: NodeJS.Timeout | undefined

  const takePlace = async () => {
    if (taken < limits.threads) taken++
    // The place is handed over: `taken` stays as it is.
    else await new Promise<void>((go) => waiting.push(go))
  }
  const givePlace = () => {
    const next = waiting.shift()
    if (next === undefined) taken--
    else next()
  }
  const endIdle = () => {
    for (const worker of idle.splice(0)) void worker.terminate()
  }
  const takeThread = () => {
    clearTimeout(ending)
    const resting = idle.splice(0).filter((worker) => all.has(worker))
    const worker = resting.pop() ?? startThread(limits, all)
    idle.push(...resting)
    worker.ref()
    return worker
  }
  const rest = (worker: Worker) => {
    worker.unref()
    idle.push(worker)
    clearTimeout(ending)
    ending = setTimeout(endIdle, IDLE_MS)
    ending.unref()
  }

  return {
    async open(file, use) {
      await takePlace()
      const worker = takeThread()
      const talk = { worker, file, limits, isSpoilt: false }
      try {
        return await use({
          read: () => readThrough(talk),
          records: (index) => recordsThrough(talk, index)
        })
      } finally {
        if (talk.isSpoilt) void worker.terminate()
        else rest(worker)
        givePlace()
      }
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
  readonly limits: ReadLimits
  /** The thread ended, or is in the middle of something: it must not be used again. */
  isSpoilt: boolean
}

function startThread({ heapMb }: ReadLimits, all: Set<Worker>): Worker {
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
  const { worker, limits } = talk
  const heard = new AbortController()
  const { signal } = heard
  const name = talk.file.filename
  const overdue = () =>
    errors.DMR_READING({ name, problem: `it takes more than ${limits.timeMs / 1000} s` })
  try {
    const answer = Promise.race([once(worker, 'message', { signal }), ended(worker, signal)])
    worker.postMessage(message)
    const [found] = await within(answer, { deadline: { ms: limits.timeMs, overdue } })
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
