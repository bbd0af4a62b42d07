// Runs pipelines over plain documents, with other collections in memory.
import { doc, plain } from '../bson/arbitrary-values.test.data.ts'
import { parseCollation } from '../bson/collation.ts'
import { parseSort } from '../bson/sort.ts'
import type { Doc } from '../bson/value.ts'
import { parseFilter } from '../query/filter.ts'
import { type PipelineEnv, parsePipeline } from './pipeline.ts'

export type Plain = Readonly<Record<string, unknown>>

export interface RunOptions {
  readonly others?: Readonly<Record<string, readonly Plain[]>>
  readonly let?: Plain
  readonly memoryLimitBytes?: number
  readonly collation?: Plain
  /** Receives the filters by which other collections are read. */
  readonly asked?: (Doc | undefined)[]
}

/** An environment whose collections are lists. */
export function memoryEnv({ others = {}, memoryLimitBytes, asked }: RunOptions): PipelineEnv {
  return {
    memoryLimitBytes,
    async *readCollection(_db, name, filter) {
      asked?.push(filter)
      const test = parseFilter(filter ?? new Map())
      yield (others[name] ?? []).map((one) => doc(one)).filter((one) => test.matchesDoc(one))
    }
  }
}

/** All results as documents; what the executor would serve of the prefix is done here. */
export async function runDocs(
  input: readonly Doc[],
  stages: readonly Plain[],
  options: RunOptions = {}
): Promise<Doc[]> {
  const collation = options.collation ? parseCollation(doc(options.collation)) : undefined
  const pipeline = parsePipeline(
    stages.map((stage) => doc(stage)),
    {
      db: 'test',
      collection: 'c',
      now: new Date(0),
      collation,
      ...(options.let && { let: doc(options.let) })
    }
  )
  const { prefix } = pipeline
  const filter = parseFilter(prefix.filter ?? new Map(), {
    collation,
    ...(options.let && { let: doc(options.let) })
  })
  let documents = input.filter((one) => filter.matchesDoc(one))
  if (prefix.sort) {
    documents = [...documents].sort(parseSort(prefix.sort, { collation }).compare)
  }
  const skip = prefix.skip ?? 0
  documents = documents.slice(skip, prefix.limit === undefined ? undefined : skip + prefix.limit)
  if (prefix.fields)
    documents = documents.map((one) => onlyFields(one, prefix.fields as ReadonlySet<string>))
  const results: Doc[] = []
  for await (const one of pipeline.run(documents, memoryEnv(options))) results.push(one)
  return results
}

function onlyFields(one: Doc, fields: ReadonlySet<string>): Doc {
  return new Map([...one].filter(([name]) => fields.has(name)))
}

/** The results of a pipeline over plain documents, as plain documents. */
export async function run(
  input: readonly Plain[],
  stages: readonly Plain[],
  options: RunOptions = {}
): Promise<Plain[]> {
  const results = await runDocs(
    input.map((one) => doc(one)),
    stages,
    options
  )
  return results.map((one) => plain(one) as Plain)
}
