// find: rows of a query.
import type { FindRequest, Namespace, OperationContext, Rows } from '../engine.ts'
import { commandError } from '../errors.ts'
import { parseProjection, wantedFields } from '../query/projection.ts'
import { openOrdered } from './ordered.ts'
import { type EngineParts, readSource } from './parts.ts'
import { openQuery } from './query.ts'
import { emptyRows, FoundRows } from './rows.ts'

/** Fails with NotImplemented (238) for what would show how this engine stores documents. */
function refuseUnknown(request: FindRequest): void {
  if (request.returnKey === true || request.showRecordId === true) {
    throw commandError('NotImplemented', 'returnKey and showRecordId are not supported')
  }
}

/** Opens the rows of a find. */
export function find(
  parts: EngineParts,
  ns: Namespace,
  request: FindRequest,
  context: OperationContext
): Rows {
  refuseUnknown(request)
  const { skip = 0, limit = 0, projection: spec, let: variables } = request
  const source = readSource(parts, context)
  const query = openQuery(source, ns, { ...request, isLimited: limit > 0 }, context)
  const projection =
    spec === undefined || spec.size === 0
      ? undefined
      : parseProjection(spec, { filter: query.filter, let: variables, now: context.now })
  if (query.collection === undefined) return emptyRows()
  const project =
    projection === undefined || projection.kind === 'all'
      ? undefined
      : (bytes: Uint8Array) => projection.applyBytes(bytes)
  const documents = openOrdered(query, {
    wanted: limit > 0 ? skip + limit : 0,
    mayUseDisk: request.allowDiskUse !== false,
    fields: projection && wantedFields(projection)
  })
  return new FoundRows({ query, documents, skip, limit, project, context })
}
