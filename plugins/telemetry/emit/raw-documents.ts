// Hands the driver documents that are BSON already, as it does itself inside its bulk calls. The class for that is
// not part of its public interface: where it is not found, commands go out as plain documents.
import { createRequire } from 'node:module'
import { MongoClient } from 'mongodb'
import { BsonWriter } from './bson-writer.ts'

interface Sequence {
  /** What listeners of commands are shown. */
  documents: readonly object[]
  push(document: object, bytes: Uint8Array): number
}
type SequenceClass = new (field: string) => Sequence

/** Null when it was looked for and is not there: looked for once. */
let found: SequenceClass | null | undefined
const writer = new BsonWriter()

/**
 * The documents as the value of a command's field: raw when the client's driver is the one of this package and
 * has a place for it, else as they are.
 *
 * @throws BSONError when a document holds what cannot be stored.
 */
export function documentsFor(
  client: MongoClient,
  field: string,
  documents: readonly object[]
): readonly object[] | Sequence {
  if (found === undefined) found = findSequence()
  // A client of another copy of the driver would not know the class.
  if (found === null || !(client instanceof MongoClient)) return documents
  for (const document of documents) writer.write(document)
  const sequence = new found(field)
  // One push for all: each would be copied by itself otherwise.
  sequence.push({}, writer.take())
  sequence.documents = documents
  return sequence
}

function findSequence(): SequenceClass | null {
  try {
    const commands = createRequire(import.meta.url)('mongodb/lib/cmap/commands.js') as {
      readonly DocumentSequence?: SequenceClass
    }
    const { DocumentSequence } = commands
    return typeof DocumentSequence?.prototype.push === 'function' ? DocumentSequence : null
  } catch {
    return null
  }
}
