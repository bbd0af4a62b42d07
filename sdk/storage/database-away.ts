// Whether an error says that the database could not be reached, or is on its way to another primary.

/** Of the driver, https://mongodb.github.io/node-mongodb-native/ */
const NAMES: ReadonlySet<unknown> = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoOperationTimeoutError'
])

/** Of the server, while it shuts down or is not the primary. https://github.com/mongodb/mongo error_codes.yml */
const CODES: ReadonlySet<unknown> = new Set([
  6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436
])

interface Named {
  readonly name?: unknown
  readonly code?: unknown
  readonly errorResponse?: unknown
}

/**
 * True when the same request may succeed later. A lost bulk write is named after the command, and has the reason in
 * `errorResponse`. By name, so that it works across copies of the driver; a number of another package says nothing.
 *
 * @example if (isDatabaseAway(error)) return reply.code(503)
 */
export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { name, code, errorResponse } = error as Named
  if (typeof name !== 'string' || !name.startsWith('Mongo')) return false
  return NAMES.has(name) || CODES.has(code) || isDatabaseAway(errorResponse)
}
