// What a stage of a pipeline is, and how batches of documents flow through stages.
import type { Collation } from '../bson/collation.ts'
import { sizeOfDoc } from '../bson/encode.ts'
import type { Doc, Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { Evaluation, ReadFields, Result, Scope } from '../expressions/expression.ts'
import type { ExpressionContext } from '../expressions/parse-expression.ts'
import { spend } from '../expressions/turn-clock.ts'
import { wasKilled } from '../interruption.ts'

/** Documents travel in batches: one step of a stream costs more than one document. */
export type Batches = AsyncIterable<readonly Doc[]>

/** Documents of another collection, through its indexes where the filter allows. */
export type ReadCollection = (
  db: string,
  name: string,
  filter?: Doc
) => AsyncIterable<Doc | readonly Doc[]>

/** What running stages need. */
export interface StageEnv {
  readonly readCollection: ReadCollection
  readonly memoryLimitBytes: number
  readonly signal: AbortSignal | undefined
  /**
   * Gives others their turn; a long expression that threw TakesLong is evaluated meanwhile. Fails
   * with any other reason, and when the operation must end.
   */
  readonly pause: (reason?: unknown) => Promise<void>
  readonly now: Date
  /** The variables of the command and of what is around a nested pipeline. */
  readonly scope: Scope | undefined
}

/** What reading stages need. */
export interface StageContext {
  readonly db: string
  readonly collection: string
  readonly expressions: ExpressionContext
  readonly collation: Collation | undefined
  readonly now: Date
  /** Pipelines within pipelines. */
  readonly depth: number
  /** Receives every other collection that is read. */
  readonly foreign: { db: string; collection: string }[]
  /** Reads the stages of a pipeline; stages that hold pipelines use it. */
  readonly parseStages: ParseStages
}

/** Where a pipeline is: at the top, or within a stage. */
export type PipelinePlace = 'top' | 'facet' | 'lookup' | 'unionWith'

export type ParseStages = (
  stages: readonly Doc[],
  context: StageContext,
  place: PipelinePlace
) => Stage[]

export interface Stage {
  run(input: Batches, env: StageEnv): Batches
  /** The top-level fields it needs of its input, when `after` are needed of its output. */
  needs(after: ReadFields): ReadFields
}

export type StageParser = (spec: Value, context: StageContext, name: string) => Stage

/** Documents that flow together. */
export const BATCH = 256
/** How long stages work before others get their turn. */
const SLICE_MS = 10

export const needsAll = (): ReadFields => 'all'

/** What a stage's expressions are evaluated against for a document. */
export function evaluationOf(root: Result, { scope, now }: StageEnv): Evaluation {
  return { root, scope, now }
}

/** Visits documents; a visit that an expression interrupts is made again, from its beginning. */
export async function visitEach(
  documents: readonly Doc[],
  { pause }: StageEnv,
  visit: (doc: Doc, place: number) => void
): Promise<void> {
  for (let place = 0; place < documents.length; ) {
    try {
      for (; place < documents.length; place++) {
        spend()
        visit(documents[place] as Doc, place)
      }
    } catch (error) {
      await pause(error)
    }
  }
}

/** A stage that makes of each document one, several or none. */
export async function* mapEach(
  input: Batches,
  env: StageEnv,
  change: (doc: Doc) => Doc | readonly Doc[] | undefined
): AsyncGenerator<readonly Doc[]> {
  for await (const batch of input) {
    const changed: Doc[] = []
    await visitEach(batch, env, (doc) => {
      const made = change(doc)
      if (made instanceof Map) changed.push(made)
      else if (made !== undefined) for (const one of made) changed.push(one)
    })
    if (changed.length > 0) yield changed
  }
}

/** The time until others must have their turn. */
export class Slice {
  readonly #env: StageEnv
  #endsAt = performance.now() + SLICE_MS

  constructor(env: StageEnv) {
    this.#env = env
  }

  get isOver(): boolean {
    return performance.now() > this.#endsAt
  }

  async pause(): Promise<void> {
    await this.#env.pause()
    this.#endsAt = performance.now() + SLICE_MS
  }
}

/** Cuts a long list into batches, giving others their turn in between. */
export async function* inBatches(
  documents: Iterable<Doc>,
  env: StageEnv
): AsyncGenerator<readonly Doc[]> {
  let batch: Doc[] = []
  const slice = new Slice(env)
  for (const doc of documents) {
    batch.push(doc)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
    if (slice.isOver) await slice.pause()
  }
  if (batch.length > 0) yield batch
}

/** Gives others their turn once. */
export async function giveTurn({ signal }: Pick<StageEnv, 'signal'>): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  checkSignal(signal)
}

/** Fails with Interrupted (11601) when the operation was given up. */
function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw wasKilled(signal)
}

/** Any stream of documents or lists of them, as batches. */
export async function* toBatches(
  input: Iterable<Doc> | AsyncIterable<Doc | readonly Doc[]>,
  env: StageEnv
): AsyncGenerator<readonly Doc[]> {
  if (!(Symbol.asyncIterator in input)) {
    yield* inBatches(input, env)
    return
  }
  let batch: Doc[] = []
  for await (const item of input) {
    if (!(item instanceof Map)) {
      if (batch.length > 0) yield batch
      batch = []
      checkSignal(env.signal)
      yield item
    } else if (batch.push(item) >= BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/** Counts bytes against the limit of one stage. */
export class MemoryMeter {
  #used = 0
  readonly #limit: number
  readonly #name: string

  constructor(name: string, { memoryLimitBytes }: StageEnv) {
    this.#name = name
    this.#limit = memoryLimitBytes
  }

  /** Fails with QueryExceededMemoryLimitNoDiskUseAllowed (292). */
  add(bytes: number): void {
    this.#used += bytes
    if (this.#used <= this.#limit) return
    throw commandError(
      'QueryExceededMemoryLimitNoDiskUseAllowed',
      `${this.#name} exceeded memory limit of ${this.#limit} bytes, and this engine keeps it in memory. Aborting operation.`
    )
  }
}

/** All documents of a stream, as far as they fit. */
export async function collectAll(input: Batches, name: string, env: StageEnv): Promise<Doc[]> {
  const meter = new MemoryMeter(name, env)
  const documents: Doc[] = []
  for await (const batch of input) {
    for (const doc of batch) {
      meter.add(sizeOfDoc(doc))
      documents.push(doc)
    }
  }
  return documents
}

/** The first piece of a dotted path. */
export function topField(path: string): string {
  return path.split('.', 1)[0] as string
}

/** A stage that makes each batch into another, with waiting in between. */
export async function* mapAsync(
  input: Batches,
  change: (batch: readonly Doc[]) => Promise<readonly Doc[]>
): AsyncGenerator<readonly Doc[]> {
  for await (const batch of input) yield await change(batch)
}
