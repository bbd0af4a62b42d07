// Threads for expressions that are too long for one turn: they can be ended at any moment.
import { Worker } from 'node:worker_threads'
import type { OperationContext } from '../engine.ts'
import { type CommandError, commandError } from '../errors.ts'
import type { EvaluationOutcome } from '../expressions/long-expression.ts'
import { checkInterrupt, interruptedBy } from './interrupt.ts'

/** Threads of this process; further expressions wait for one. */
const MOST_THREADS = 2
/** A thread without work ends after so many milliseconds. */
const IDLE_MS = 10_000
/** Memory that one expression may take. */
const HEAP_MB = 256
const PROGRAM = new URL('./expression-worker.js', import.meta.url)

const idle: ExpressionThread[] = []
const waiting = new Set<() => void>()
let taken = 0

/** A thread, with one expression at a time. It keeps the process only while it has one. */
class ExpressionThread {
  readonly #worker = new Worker(PROGRAM, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
  #answer: (outcome: EvaluationOutcome) => void = () => undefined
  #ending: NodeJS.Timeout | undefined
  isEnded = false

  constructor() {
    const fail = (error: CommandError): void => {
      this.isEnded = true
      this.#answer({ error })
    }
    this.#worker.on('message', (outcome: EvaluationOutcome) => this.#answer(outcome))
    this.#worker.on('error', (cause) => fail(errorOf(cause)))
    this.#worker.on('exit', () => fail(commandError('InternalError', 'The thread has ended')))
  }

  evaluate(request: Uint8Array): Promise<EvaluationOutcome> {
    clearTimeout(this.#ending)
    this.#worker.ref()
    return new Promise((resolve) => {
      this.#answer = resolve
      this.#worker.postMessage(request)
    })
  }

  /** Waits for the next expression. */
  rest(): void {
    this.#worker.unref()
    this.#ending = setTimeout(() => this.end(), IDLE_MS)
    this.#ending.unref()
  }

  end(): void {
    this.isEnded = true
    const place = idle.indexOf(this)
    if (place >= 0) idle.splice(place, 1)
    void this.#worker.terminate()
  }
}

/** The expression ends with it: trying again would lead to the same. */
function errorOf(cause: Error & { readonly code?: string }): CommandError {
  return cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? commandError('ExceededMemoryLimit', `An expression takes more than ${HEAP_MB} MiB of memory`)
    : commandError('InternalError', `An expression failed: ${cause.message}`, { cause })
}

/** Has a request evaluated. Fails with MaxTimeMSExpired (50) or Interrupted (11601). */
export async function evaluateElsewhere(
  request: Uint8Array,
  context: OperationContext
): Promise<EvaluationOutcome> {
  const interrupt = interruptedBy(context)
  try {
    while (taken >= MOST_THREADS) await Promise.race([freed(), interrupt.happened])
    checkInterrupt(context)
    taken++
    return await evaluateWith(idle.pop() ?? new ExpressionThread(), request, interrupt.happened)
  } finally {
    interrupt.forget()
  }
}

async function evaluateWith(
  thread: ExpressionThread,
  request: Uint8Array,
  interrupted: Promise<never>
): Promise<EvaluationOutcome> {
  try {
    const outcome = await Promise.race([thread.evaluate(request), interrupted])
    if (!thread.isEnded) {
      thread.rest()
      idle.push(thread)
    }
    return outcome
  } catch (error) {
    thread.end()
    throw error
  } finally {
    taken--
    for (const go of [...waiting]) go()
  }
}

function freed(): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      waiting.delete(go)
      resolve()
    }
    waiting.add(go)
  })
}
