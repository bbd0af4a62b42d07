// The aggregate command: pipelines over a collection or a database, and change streams.

import { encodeDoc } from '../bson/encode.ts'
import type { Doc, Value } from '../bson/value.ts'
import { isNumeric } from '../bson/value.ts'
import type { CursorSource } from '../cursors/cursor-registry.ts'
import type { AggregateRequest, ChangeStream, Namespace } from '../engine.ts'
import { commandError } from '../errors.ts'
import type { Answer, Call, Command } from './command.ts'
import { openCursor, readCursorOptions, sourceOfRows } from './cursor-answers.ts'
import { forPipeline } from './cursor-context.ts'
import { explainAnswer } from './explain-answer.ts'
import {
  anything,
  boolean,
  document,
  documents,
  hint,
  present,
  readCommand,
  required
} from './fields.ts'
import type { Asked } from './find.ts'
import { namespaceOf } from './namespace.ts'
import { servePipelineSource } from './server-sources.ts'

const AGGREGATE = {
  pipeline: documents,
  cursor: document,
  explain: boolean,
  allowDiskUse: boolean,
  bypassDocumentValidation: boolean,
  hint,
  collation: document,
  let: document,
  fromMongos: anything
}

/** What an aggregate command asks for. */
export interface AggregateCommand {
  readonly namespace: Namespace
  readonly request: AggregateRequest
  readonly explain: boolean
  readonly cursor: Doc | undefined
}

/** Reads an aggregate command. */
export function readAggregate(asked: Asked): AggregateCommand {
  const fields = readCommand(asked, AGGREGATE)
  return {
    namespace: aggregateNamespace(asked),
    request: present({
      pipeline: required(fields.pipeline, 'aggregate.pipeline'),
      allowDiskUse: fields.allowDiskUse,
      hint: fields.hint,
      collation: fields.collation,
      let: fields.let
    }),
    explain: fields.explain ?? false,
    cursor: fields.cursor
  }
}

/** `aggregate: 1` runs on the database; its collection is ''. */
function aggregateNamespace(asked: Asked): Namespace {
  const target: Value = asked.body.get(asked.name)
  if (typeof target === 'string' || !isNumeric(target)) return namespaceOf(asked)
  if (Number(target.toString()) !== 1) {
    throw commandError('FailedToParse', 'Invalid command format: the aggregate field must be 1')
  }
  return { db: asked.db, collection: '' }
}

const aggregate: Command = {
  name: 'aggregate',
  inTransaction: true,
  endsWithClient: true,
  readsSnapshot: true,
  isStable: true,
  isWrite: true,
  async run(call) {
    const { namespace, request, explain, cursor } = readAggregate(call)
    refuseLinearizableSink(call, request)
    refuseUnstable(call, request)
    if (explain && call.generic.writeConcern !== undefined) {
      throw commandError(
        'FailedToParse',
        "Aggregation explain does not support the 'writeConcern' option."
      )
    }
    if (explain) return explainAggregate(call, namespace, request)
    if (!cursor) {
      throw commandError(
        'FailedToParse',
        "The 'cursor' option is required, except for aggregate with the explain argument"
      )
    }
    const { batchSize } = readCursorOptions('aggregate', cursor)
    const first = request.pipeline[0]
    if (first?.has('$changeStream')) {
      return watch(call, { namespace, request, first, batchSize })
    }
    const context = forPipeline(call)
    const { engine } = call.services
    const pipeline = servePipelineSource(call, namespace, request.pipeline)
    const rows = await context.during(call.running.signal, () =>
      engine.aggregate(namespace, { ...request, pipeline }, context.operation)
    )
    return openCursor(call, cursorNamespace(namespace), sourceOfRows(rows, context), { batchSize })
  }
}

/** Sources of documents that are no part of the stable API. */
const UNSTABLE: ReadonlySet<string> = new Set([
  '$currentOp',
  '$indexStats',
  '$listLocalSessions',
  '$listSessions'
])

function refuseUnstable({ generic }: Call, { pipeline }: AggregateRequest): void {
  if (!generic.apiStrict) return
  const name = pipeline.flatMap((stage) => [...stage.keys()]).find((one) => UNSTABLE.has(one))
  if (name === undefined) return
  throw commandError('APIStrictError', `stage ${name} is not allowed with 'apiStrict: true'`)
}

function refuseLinearizableSink({ generic }: Call, { pipeline }: AggregateRequest): void {
  const last = pipeline.at(-1)
  const isSink = last?.has('$out') || last?.has('$merge')
  if (!isSink || generic.readConcern?.level !== 'linearizable') return
  throw commandError(
    'InvalidOptions',
    'A pipeline that writes cannot be used with a linearizable read concern'
  )
}

/** The namespace by which a cursor over a whole database is known. */
function cursorNamespace(namespace: Namespace): Namespace {
  return namespace.collection === '' ? { ...namespace, collection: '$cmd.aggregate' } : namespace
}

async function explainAggregate(
  call: Call,
  namespace: Namespace,
  request: AggregateRequest
): Promise<Answer> {
  const explained = await call.services.engine.explain(
    namespace,
    { command: 'aggregate', request },
    'queryPlanner',
    call.context
  )
  return explainAnswer(call, explained)
}

interface Watch {
  readonly namespace: Namespace
  readonly request: AggregateRequest
  readonly first: Doc
  readonly batchSize: number | undefined
}

async function watch(call: Call, asked: Watch): Promise<Answer> {
  call.noteChangeStream()
  if (call.context.transaction) {
    throw commandError(
      'OperationNotSupportedInTransaction',
      '$changeStream cannot run within a multi-document transaction'
    )
  }
  const level = call.generic.readConcern?.level
  if (level !== undefined && level !== 'majority') {
    throw commandError(
      'InvalidOptions',
      `Aggregation stage $changeStream cannot run with a readConcern other than 'majority': ${level}`
    )
  }
  const { namespace, request, first } = asked
  const options = document.read(first.get('$changeStream'), '$changeStream')
  const stream = await call.services.engine.changeStream(
    watchedNamespace(namespace, options),
    {
      options,
      pipeline: request.pipeline.slice(1),
      ...(request.collation && { collation: request.collation })
    },
    call.context
  )
  return openCursor(call, cursorNamespace(namespace), sourceOfStream(stream), {
    batchSize: asked.batchSize,
    isChangeStream: true
  })
}

function watchedNamespace(namespace: Namespace, options: Doc): Namespace {
  if (options.get('allChangesForCluster') !== true) return namespace
  if (namespace.db !== 'admin' || namespace.collection !== '') {
    throw commandError(
      'InvalidOptions',
      'A $changeStream with allChangesForCluster:true may only be opened on the admin database'
    )
  }
  return { db: '', collection: '' }
}

function sourceOfStream(stream: ChangeStream): CursorSource {
  return {
    next: ({ maxDocs, maxBytes, waitMs, signal }) => stream.next(maxDocs, maxBytes, waitMs, signal),
    get exhausted() {
      return stream.exhausted
    },
    close: () => stream.close(),
    extra: () => encodeDoc(new Map([['postBatchResumeToken', stream.postBatchResumeToken]]))
  }
}

export const AGGREGATE_COMMANDS: readonly Command[] = [aggregate]
