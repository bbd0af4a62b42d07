// Threads that compile bodies of templates: they can be ended, and never hold up the host.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { within } from '@keelson/sdk'
import type { BodyOutcome, BodyRequest } from './compile-body.ts'

/** What one compilation may take. */
export interface CompileLimits {
  /** Milliseconds, and as long again to wait for a thread. */
  readonly timeMs: number
  readonly heapMb: number
}

/** Two preview requests in a row still end within 20 seconds. */
const LIMITS: CompileLimits = { timeMs: 8_000, heapMb: 256 }
/** Threads of this process; further compilations wait for one. */
const MOST_THREADS = 2
/** Loading the compiler takes most of a second: threads wait for more before they end. */
const IDLE_MS = 30_000
/** Loading is not the template's fault, and takes longer on a busy machine. */
const LOADING_MS = 30_000
const PROGRAM = new URL('./compile-worker.js', import.meta.url)

/** Compiles in a thread. What goes over a limit is a value. */
export type CompileElsewhere = (request: BodyRequest) => Promise<BodyOutcome>

/** Makes a group of threads, without any until the first compilation. */
export function createCompiler(limits: CompileLimits = LIMITS): CompileElsewhere {
  const waiting: (() => void)[] = []
  let taken = 0
  const idle: Worker[] = []
  let ending: NodeJS.Timeout | undefined

  const takeThread = async (): Promise<Worker> => {
    const worker = idle.pop()
    if (worker === undefined) return startThread(limits)
    worker.ref()
    return worker
  }
  const endIdle = () => {
    for (const worker of idle.splice(0)) void worker.terminate()
  }
  const rest = (worker: Worker) => {
    idle.push(worker)
    worker.unref()
    clearTimeout(ending)
    ending = setTimeout(endIdle, IDLE_MS)
    ending.unref()
  }
  const place = async (): Promise<void> => {
    if (taken < MOST_THREADS) return void taken++
    let go = () => {}
    const free = new Promise<void>((resolve) => {
      go = resolve
      waiting.push(go)
    })
    const deadline = { ms: limits.timeMs, overdue: () => new Overdue('The compiler is busy') }
    try {
      await within(free, { deadline })
    } catch (error) {
      const at = waiting.indexOf(go)
      // The place was handed over in the same moment: it is given back.
      if (at >= 0) waiting.splice(at, 1)
      else giveBack()
      throw error
    }
  }
  const giveBack = () => {
    const next = waiting.shift()
    if (next === undefined) taken--
    else next()
  }

  return async (request) => {
    try {
      await place()
    } catch (error) {
      return faultOf(error)
    }
    let worker: Worker | undefined
    try {
      worker = await takeThread()
      const outcome = await compileWith(worker, request, limits)
      rest(worker)
      return outcome
    } catch (error) {
      void worker?.terminate()
      return faultOf(error)
    } finally {
      giveBack()
    }
  }
}

class Overdue extends Error {}

/** Resolves when the thread is ready to compile. */
async function startThread({ heapMb }: CompileLimits): Promise<Worker> {
  const worker = new Worker(PROGRAM, { resourceLimits: { maxOldGenerationSizeMb: heapMb } })
  // A thread that dies while it rests must not take the process with it.
  worker.on('error', () => {})
  try {
    const overdue = () => new Overdue('The compiler takes too long to load')
    await nextMessage(worker, { ms: LOADING_MS, overdue })
    return worker
  } catch (error) {
    void worker.terminate()
    throw error
  }
}

function compileWith(
  worker: Worker,
  request: BodyRequest,
  { timeMs: ms }: CompileLimits
): Promise<BodyOutcome> {
  const overdue = () => new Overdue(`The template takes more than ${ms / 1000} s to compile`)
  const outcome = nextMessage<BodyOutcome>(worker, { ms, overdue })
  worker.postMessage(request)
  return outcome
}

async function nextMessage<T>(
  worker: Worker,
  deadline: { readonly ms: number; overdue(): Error }
): Promise<T> {
  const heard = new AbortController()
  const { signal } = heard
  try {
    const first = Promise.race([once(worker, 'message', { signal }), ended(worker, signal)])
    const [message] = await within(first, { deadline })
    return message
  } finally {
    heard.abort()
  }
}

/** Rejects when the thread ends; an error in it is its reason. */
async function ended(worker: Worker, signal: AbortSignal): Promise<never> {
  await once(worker, 'exit', { signal })
  throw new Error('The compiler ended')
}

function faultOf(error: unknown): BodyOutcome {
  const { code, message } = error as Error & { readonly code?: string }
  const isTooLarge = code === 'ERR_WORKER_OUT_OF_MEMORY'
  return {
    ok: false,
    message: isTooLarge ? 'The template takes too much memory to compile' : message
  }
}
