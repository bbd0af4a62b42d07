// Whether a command of the database was lost with its connection, so that the same may succeed a moment later.
import { MongoBulkWriteError, MongoNetworkError } from 'mongodb'

/** The driver names a lost bulk write after the command, and keeps the reason in `errorResponse`. */
export function isConnectionLost(error: unknown): boolean {
  const reason: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : error
  return reason instanceof MongoNetworkError
}
