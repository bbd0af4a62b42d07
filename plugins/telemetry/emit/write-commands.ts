// Many inserts or updates as one plain command. The driver's bulk calls make several objects and a buffer for
// each document; here one is built for all, which halves what a flush costs (test/bench/what-does-ingest-cost).
import type { ClientSession, Document } from 'mongodb'
import { documentsFor } from './raw-documents.ts'
import { clientOfSession } from './session-client.ts'

/** Where a command goes: a collection's names are all it needs. */
export interface CommandTarget {
  readonly dbName: string
  readonly collectionName: string
}

/** One update as the server reads it. */
export interface UpdateStatement {
  readonly q: Document
  readonly u: Document
  readonly upsert?: true
}

export interface UpdateCounts {
  /** Documents that were there, and those that were made. */
  readonly n: number
  /** Statements, by index, that made their document. */
  readonly upserted: ReadonlySet<number>
}

/** The server refused one of the documents; nothing of the transaction stays. */
export class WriteRefused extends Error {
  override readonly name = 'WriteRefused'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** A command may be 16 MB: statements of rollups are at most some hundred bytes each, as a rule. */
const STATEMENTS = 4000

/** @throws WriteRefused */
export async function insertAll(
  target: CommandTarget,
  documents: readonly object[],
  session: ClientSession
): Promise<void> {
  if (documents.length === 0) return
  const insert = target.collectionName
  const client = clientOfSession(session)
  await run(target, { insert, documents: documentsFor(client, 'documents', documents) }, session)
}

/** @throws WriteRefused */
export async function updateAll(
  target: CommandTarget,
  statements: readonly UpdateStatement[],
  session: ClientSession
): Promise<UpdateCounts> {
  let n = 0
  const upserted = new Set<number>()
  for (let from = 0; from < statements.length; from += STATEMENTS) {
    const part = statements.slice(from, from + STATEMENTS)
    const updates = documentsFor(clientOfSession(session), 'updates', part)
    const reply = await run(target, { update: target.collectionName, updates }, session)
    n += reply['n'] as number
    for (const { index } of (reply['upserted'] ?? []) as { index: number }[]) {
      upserted.add(from + index)
    }
  }
  return { n, upserted }
}

async function run(
  target: CommandTarget,
  command: Document,
  session: ClientSession
): Promise<Document> {
  const reply = await clientOfSession(session)
    .db(target.dbName)
    .command(command, { session, ignoreUndefined: true })
  const [first] = (reply['writeErrors'] ?? []) as { code: number; errmsg: string }[]
  if (first !== undefined) throw new WriteRefused(first.code, first.errmsg)
  return reply
}
