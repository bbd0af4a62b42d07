// An engine on a temporary folder, spoken to in plain JavaScript; for tests.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { doc, plain } from '../bson/arbitrary-values.test.data.ts'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc } from '../bson/value.ts'
import type {
  DeleteStatement,
  Engine,
  EngineOptions,
  ExplainRequest,
  FindAndModifyRequest,
  FindRequest,
  Namespace,
  OperationContext,
  Rows,
  UpdateResult,
  UpdateStatement,
  Verbosity,
  WriteResult
} from '../engine.ts'
import { openEngine } from './open.ts'

export type Plain = Readonly<Record<string, unknown>>

/** Whatever can clean up after a test. */
export interface Cleaner {
  teardown(act: () => unknown): void
}

/** A temporary folder that goes with its test. */
export async function temporaryFolder(t: Cleaner): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keelson-engine-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** The surroundings of an operation. */
export function contextOf(more: Partial<OperationContext> = {}): OperationContext {
  return { now: new Date(), signal: new AbortController().signal, ...more }
}

/** All rows, as plain objects. */
export async function allOf(rows: Rows): Promise<Plain[]> {
  const all: Plain[] = []
  while (!rows.exhausted) {
    const batch = await rows.next(1_000, 16 * 1024 * 1024)
    all.push(...batch.map((bytes) => plain(decodeDoc(bytes)) as Plain))
  }
  return all
}

type Less<T, K extends keyof T> = Omit<T, K>

/** One collection, in plain JavaScript. */
export class TestCollection {
  readonly engine: Engine
  readonly ns: Namespace

  constructor(engine: Engine, ns: Namespace) {
    this.engine = engine
    this.ns = ns
  }

  insert(documents: readonly Plain[], context = contextOf(), ordered = true): Promise<WriteResult> {
    return this.insertDocs(documents.map(doc), context, ordered)
  }

  insertDocs(
    documents: readonly Doc[],
    context = contextOf(),
    ordered = true
  ): Promise<WriteResult> {
    return this.engine.insert(this.ns, { documents: documents.map(encodeDoc), ordered }, context)
  }

  async find(
    filter: Plain = {},
    options: Less<FindRequest, 'filter'> = {},
    context = contextOf()
  ): Promise<Plain[]> {
    return allOf(await this.engine.find(this.ns, { filter: doc(filter), ...options }, context))
  }

  async ids(filter: Plain = {}, options: Less<FindRequest, 'filter'> = {}): Promise<unknown[]> {
    return (await this.find(filter, options)).map(({ _id }) => _id)
  }

  update(
    filter: Plain,
    update: Plain | readonly Plain[],
    options: Partial<Less<UpdateStatement, 'filter' | 'update'>> = {},
    context = contextOf()
  ): Promise<UpdateResult> {
    const statement = updateStatement(filter, update, options)
    return this.engine.update(this.ns, { updates: [statement], ordered: true }, context)
  }

  delete(
    filter: Plain,
    options: Partial<Less<DeleteStatement, 'filter'>> = {},
    context = contextOf()
  ): Promise<WriteResult> {
    const statement = { filter: doc(filter), single: false, ...options }
    return this.engine.delete(this.ns, { deletes: [statement], ordered: true }, context)
  }

  async modify(
    filter: Plain,
    options: Partial<Less<FindAndModifyRequest, 'filter'>>,
    context = contextOf()
  ): Promise<{ value: unknown; lastErrorObject: Plain; retried: boolean }> {
    const request = {
      filter: doc(filter),
      remove: false,
      returnNew: false,
      upsert: false,
      ...options
    }
    const { value, ...rest } = await this.engine.findAndModify(this.ns, request, context)
    return { value: value === null ? null : plain(decodeDoc(value)), ...rest }
  }

  index(key: Plain, options: Plain = {}, context = contextOf()) {
    const name = Object.entries(key).flat().join('_')
    return this.engine.createIndexes(this.ns, [doc({ key, name, ...options })], context)
  }

  count(filter: Plain = {}, context = contextOf()): Promise<number> {
    return this.engine.count(this.ns, { filter: doc(filter) }, context)
  }

  async aggregate(pipeline: readonly Plain[], context = contextOf()): Promise<Plain[]> {
    return allOf(await this.engine.aggregate(this.ns, { pipeline: pipeline.map(doc) }, context))
  }

  async explain(
    filter: Plain,
    options: Less<FindRequest, 'filter'> = {},
    verbosity: Verbosity = 'executionStats'
  ): Promise<Plain> {
    return this.explainCommand(
      { command: 'find', request: { filter: doc(filter), ...options } },
      verbosity
    )
  }

  async explainCommand(asked: ExplainRequest, verbosity: Verbosity = 'executionStats') {
    return plain(await this.engine.explain(this.ns, asked, verbosity, contextOf())) as Plain
  }
}

/** An update statement in plain JavaScript. */
export function updateStatement(
  filter: Plain,
  update: Plain | readonly Plain[],
  options: Partial<Less<UpdateStatement, 'filter' | 'update'>> = {}
): UpdateStatement {
  return {
    filter: doc(filter),
    update: Array.isArray(update) ? update.map(doc) : doc(update as Plain),
    multi: false,
    upsert: false,
    ...options
  }
}

/** Opens an engine that is closed with its test. */
export async function openTestEngine(
  t: Cleaner,
  options: EngineOptions = {},
  folder?: string
): Promise<Engine> {
  const engine = await openEngine(folder ?? (await temporaryFolder(t)), options)
  t.teardown(() => engine.close())
  return engine
}

/** A collection of a new engine. */
export async function openTestCollection(t: Cleaner): Promise<TestCollection> {
  return new TestCollection(await openTestEngine(t), { db: 'test', collection: 'things' })
}

/** The names of all stages of a winning plan, from the top down. */
export function stagesOf(explained: unknown): string[] {
  if (typeof explained !== 'object' || explained === null) return []
  const own = 'stage' in explained ? [String(explained.stage)] : []
  return [...own, ...Object.values(explained).flatMap(stagesOf)]
}

/** The code of the error that an operation fails with. */
export async function codeOf(act: () => Promise<unknown>): Promise<number | undefined> {
  try {
    await act()
  } catch (error) {
    return (error as { code?: number }).code
  }
  return undefined
}
