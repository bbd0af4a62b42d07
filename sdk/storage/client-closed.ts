// Whether an error says that the client of the database was closed.

/** Of the driver, https://mongodb.github.io/node-mongodb-native/: while commands were on their way, and from then on. */
const CLOSED: ReadonlySet<unknown> = new Set(['MongoClientClosedError', 'MongoNotConnectedError'])

/**
 * True for what a closed client throws: its host has ended, and a write that is tried again keeps the process for
 * good. By name, so that it works across copies of the driver.
 */
export function isClientClosed(error: unknown): boolean {
  return error instanceof Error && CLOSED.has(error.name)
}
