// Pipelines over what the server knows rather than the database: running operations and sessions.
import { Binary } from 'bson'
import type { Doc, Value } from '../bson/value.ts'
import type { Namespace } from '../engine.ts'
import { commandError } from '../errors.ts'
import type { Call } from './command.ts'
import { listCurrentOperations, readCurrentOperations } from './current-operations.ts'
import { document } from './fields.ts'

/** The pipeline itself, or with its first stage replaced by the documents that the server has. */
export function servePipelineSource(
  call: Call,
  namespace: Namespace,
  pipeline: readonly Doc[]
): readonly Doc[] {
  const [name] = pipeline[0]?.keys() ?? []
  const source = name === undefined ? undefined : SOURCES.get(name)
  if (!source) return pipeline
  if (namespace.collection !== '') {
    throw commandError('InvalidNamespace', `${name} can only be run with {aggregate: 1}`)
  }
  const spec = document.read(pipeline[0]?.get(name ?? ''), name ?? '')
  const documents: Doc = new Map([['$documents', new Map([['$literal', source(call, spec)]])]])
  return [documents, ...pipeline.slice(1)]
}

const SOURCES: ReadonlyMap<string, (call: Call, spec: Doc) => Value[]> = new Map([
  ['$currentOp', listOperations],
  ['$listLocalSessions', listSessions],
  ['$listSessions', listSessions]
])

function listOperations({ services, db }: Call, spec: Doc): Value[] {
  if (db !== 'admin') {
    throw commandError('InvalidNamespace', "$currentOp must be run against the 'admin' database")
  }
  return listCurrentOperations(services, readCurrentOperations(spec))
}

function listSessions({ services }: Call): Value[] {
  return services.sessions.entries().map(([id, lastUse]) => {
    const bytes = new Binary(Buffer.from(id, 'hex'), Binary.SUBTYPE_UUID)
    return new Map<string, Value>([
      ['_id', new Map([['id', bytes]])],
      ['lastUse', new Date(lastUse)]
    ])
  })
}
