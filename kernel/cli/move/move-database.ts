// Copies a whole database to an empty one, verifies it, and makes its indexes.
import type { Db, Document, IndexDescription } from 'mongodb'
import { errors } from '../../errors/errors.ts'
import { copyCollection, type Digest, digestOf } from './copy-collection.ts'

/** A collection after its copy. */
export interface MovedCollection extends Digest {
  readonly collection: string
  readonly indexes: number
}

/** From where, to where. */
export interface Move {
  readonly from: Db
  readonly to: Db
  /** The source in words; an interrupted copy goes on for the same source alone. */
  readonly source: string
  readonly signal: AbortSignal
  /** A line for people. */
  note(text: string): void
}

/** The document of the target that says a copy is under way. */
interface MoveRow {
  readonly _id: 'move'
  readonly source: string
}

interface FoundCollection {
  readonly name: string
  readonly options: Document
}

const MARK = 'keelson_move'
/** A source that changes on and on is one whose hosts still run. */
const ROUNDS = 3
const NOTE_EVERY = 50_000

/**
 * Documents first, then indexes: a time limit in force would delete documents before they are verified. What an
 * earlier call has copied is not written again.
 *
 * @throws KRN_CLI_MOVE_TAKEN, KRN_CLI_MOVE_CHANGING
 */
export async function moveDatabase(move: Move): Promise<readonly MovedCollection[]> {
  const { from, to, signal } = move
  await claim(move)
  const collections = await collectionsOf(from)
  const moved: MovedCollection[] = []
  for (const { name, options } of collections) {
    signal.throwIfAborted()
    await ensureCollection(to, name, options)
    const digest = await copyExactly(move, name)
    moved.push({ collection: name, ...digest, indexes: 0 })
  }
  const indexed: MovedCollection[] = []
  for (const one of moved) indexed.push({ ...one, indexes: await copyIndexes(move, one) })
  await to.collection(MARK).drop()
  return indexed
}

/** The target must be empty, or hold an unfinished copy of the same source. */
async function claim({ to, source }: Move): Promise<void> {
  const marks = to.collection<MoveRow>(MARK)
  const mark = await marks.findOne({ _id: 'move' })
  if (mark?.source === source) return
  const [first] = await to.listCollections({}, { nameOnly: true }).toArray()
  if (first !== undefined) throw errors.KRN_CLI_MOVE_TAKEN({ database: to.databaseName })
  await marks.insertOne({ _id: 'move', source }, { writeConcern: { w: 'majority' } })
}

async function collectionsOf(db: Db): Promise<readonly FoundCollection[]> {
  const found = await db.listCollections({ type: 'collection' }).toArray()
  return found
    .filter(({ name }) => !name.startsWith('system.') && name !== MARK)
    .map((each) => ({ name: each.name, options: ('options' in each && each.options) || {} }))
    .toSorted((left, right) => left.name.localeCompare(right.name))
}

async function ensureCollection(db: Db, name: string, options: Document): Promise<void> {
  const [there] = await db.listCollections({ name }, { nameOnly: true }).toArray()
  if (there === undefined) await db.createCollection(name, options)
}

/** Copies until both sides have the same documents. */
async function copyExactly(move: Move, name: string): Promise<Digest> {
  const { signal, note } = move
  const from = move.from.collection(name)
  const to = move.to.collection(name)
  const total = await from.estimatedDocumentCount()
  let next = NOTE_EVERY
  const onProgress = (documents: number) => {
    if (documents < next) return
    next += NOTE_EVERY
    note(`${name}: ${documents} of ${total} documents`)
  }
  for (let round = 0; round < ROUNDS; round++) {
    await copyCollection({ from, to, signal, onProgress })
    const [ours, theirs] = await Promise.all([digestOf(from, signal), digestOf(to, signal)])
    if (ours.sha256 !== theirs.sha256) continue
    note(`${name}: ${ours.documents} documents verified`)
    return ours
  }
  throw errors.KRN_CLI_MOVE_CHANGING({ collection: name })
}

async function copyIndexes(
  { from, to, note }: Move,
  { collection }: MovedCollection
): Promise<number> {
  const found = await from.collection(collection).listIndexes().toArray()
  const specs = found
    .filter(({ name }) => name !== '_id_')
    .map(({ v: _version, ns: _namespace, ...spec }) => spec as IndexDescription)
  if (specs.length > 0) await to.collection(collection).createIndexes(specs)
  note(`${collection}: ${specs.length} indexes`)
  return specs.length
}
