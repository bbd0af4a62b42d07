// An aggregation pipeline: parsed once, then run over a stream of documents.
import type { Collation } from '../bson/collation.ts'
import type { Doc } from '../bson/value.ts'
import { commandError } from '../errors.ts'

export interface PipelineContext {
  readonly db: string
  /** '' for a database-wide aggregate. */
  readonly collection: string
  readonly now: Date
  readonly let?: Doc | undefined
  readonly collation?: Collation | undefined
}

/** What a running pipeline needs from outside. */
export interface PipelineEnv {
  /** Documents of another collection, through its indexes where the filter allows. */
  readCollection(db: string, name: string, filter?: Doc): AsyncIterable<Doc | readonly Doc[]>
  /** For `$sort`, `$group` and the like, in bytes of BSON; default 100 MiB. */
  readonly memoryLimitBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** What the executor may serve itself, from an index; the pipeline starts after it. */
export interface PipelinePrefix {
  /** Of leading `$match` stages. */
  readonly filter?: Doc
  /** Of a `$sort` that follows; then `skip` and `limit` that follow it. */
  readonly sort?: Doc
  readonly skip?: number
  readonly limit?: number
  /** Top-level fields that the rest reads, when it does not need whole documents. */
  readonly fields?: ReadonlySet<string>
}

/** Where the results go instead of to the client. */
export type PipelineSink =
  | { readonly kind: 'out'; readonly db: string; readonly collection: string }
  | MergeSink

export interface MergeSink {
  readonly kind: 'merge'
  readonly db: string
  readonly collection: string
  /** The fields that identify a document; a unique index must cover exactly them. Default `_id`. */
  readonly on: readonly string[]
  readonly whenMatched: 'replace' | 'keepExisting' | 'merge' | 'fail' | 'pipeline'
  readonly whenNotMatched: 'insert' | 'discard' | 'fail'
  /** For `pipeline`: the stages, to be given to `parseUpdate` with `let` from `bindings(result)`. */
  readonly pipeline: readonly Doc[]
  bindings(result: Doc): Doc
}

/** A source that is not the collection's documents: must be served by the executor. */
export type PipelineSource =
  | { readonly kind: 'collection' }
  | { readonly kind: 'documents' }
  | { readonly kind: 'indexStats' }
  | { readonly kind: 'collStats'; readonly spec: Doc }
  | { readonly kind: 'currentOp'; readonly spec: Doc }
  | { readonly kind: 'changeStream'; readonly spec: Doc }
  | { readonly kind: 'listSessions'; readonly spec: Doc }

export interface Pipeline {
  readonly source: PipelineSource
  readonly prefix: PipelinePrefix
  readonly sink: PipelineSink | undefined
  /** Names of the other collections that are read, as `{db, collection}`. */
  readonly foreign: readonly { readonly db: string; readonly collection: string }[]
  /** Runs the stages after the prefix. For the source `documents` the input is not read. */
  run(
    input: Iterable<Doc> | AsyncIterable<Doc | readonly Doc[]>,
    env: PipelineEnv
  ): AsyncIterable<Doc>
}

/** Fails with MongoDB's codes for unknown stages (40324), expressions (168, 31325) and options. */
export function parsePipeline(_stages: readonly Doc[], _context: PipelineContext): Pipeline {
  throw commandError('NotImplemented', 'pipeline')
}
