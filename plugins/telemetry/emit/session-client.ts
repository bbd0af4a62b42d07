// The client of a session, which the driver's types leave out.
import type { ClientSession, MongoClient } from 'mongodb'

/** Always there. */
export function clientOfSession(session: ClientSession): MongoClient {
  return (session as unknown as { readonly client: MongoClient }).client
}
