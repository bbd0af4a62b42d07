// Loads an engine such that pages become free and are taken again all the time, while its file is opened anew and
// an old snapshot is read: lmdb-js ends such a process when it keeps LMDB's list of free pages between transactions.
// Counts the processes that died, and what differs from what was acknowledged. With KEELSON_KEEP_FREE_LIST=1 the
// list is kept: then most of them die, and still nothing may differ.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Collection, MongoClient } from 'mongodb'
import { printFigure } from './measure.ts'
import { INDEXES, sampleDocument } from './sample-documents.ts'

const ENGINE = fileURLToPath(new URL('./small-memory-engine.js', import.meta.url))
const SEEDS = [1, 2, 3, 4]
const LOAD_MS = 25_000
const SINGLE_WRITES_MS = 40
const LANES = 6
const BATCH = 100
const [LEAST_BYTES, MOST_BYTES] = [6_000, 60_000]

interface Row {
  readonly _id: number
  readonly version: number
  readonly blob?: Buffer
}

/** Versions that a row may have: the last that was acknowledged, and one whose answer never came. */
interface Noted {
  readonly collection: number
  acknowledged: number | undefined
  attempted: number
}

/** What was written, by `_id`. */
type Journal = Map<number, Noted>

interface Load {
  readonly client: MongoClient
  readonly collections: readonly Collection<Row>[]
  readonly journal: Journal
  readonly random: () => number
}

/** Numbers from 0 to 1 that are the same for a seed: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

async function startProcess(folder: string): Promise<{ child: ChildProcess; client: MongoClient }> {
  const socket = join(folder, 'engine.sock')
  await rm(socket, { force: true })
  const child = spawn(process.execPath, [ENGINE, folder, socket], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  if (child.stdout === null) throw new Error('no output')
  await once(child.stdout, 'data')
  const client = new MongoClient(`mongodb://${encodeURIComponent(socket)}/?directConnection=true`, {
    serverSelectionTimeoutMS: 500
  })
  return { child, client: await client.connect() }
}

async function stopProcess({ child, client }: { child: ChildProcess; client: MongoClient }) {
  await client.close()
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/** Inserts a batch; its rows are noted before and after. */
async function insertBatch({ collections, journal, random }: Load): Promise<void> {
  const collection = Math.floor(random() * collections.length)
  const first = journal.size
  const rows = Array.from({ length: BATCH }, (_, n) => {
    return { ...sampleDocument(first + n), _id: first + n, version: 0 }
  })
  for (const { _id } of rows) {
    journal.set(_id, { collection, acknowledged: undefined, attempted: 0 })
  }
  await collections[collection]?.insertMany(rows)
  for (const { _id } of rows) (journal.get(_id) as Noted).acknowledged = 0
}

async function writeOne({ collections, journal, random }: Load): Promise<void> {
  const _id = Math.floor(random() * journal.size)
  const noted = journal.get(_id)
  if (noted?.acknowledged === undefined) return
  const collection = collections[noted.collection] as Collection<Row>
  const blob = randomBytes(LEAST_BYTES + Math.floor(random() * (MOST_BYTES - LEAST_BYTES)))
  const version = ++noted.attempted
  const replacement: Row = { ...sampleDocument(_id), _id, version, blob }
  if (random() < 0.5) await collection.updateOne({ _id }, { $set: { version, blob } })
  else await collection.replaceOne({ _id }, replacement)
  noted.acknowledged = version
}

/** Single writes while a snapshot from before them is open. */
async function writeSingly(load: Load): Promise<void> {
  const session = load.client.startSession()
  session.startTransaction({ readConcern: { level: 'snapshot' } })
  await load.collections[0]?.findOne({}, { session })
  const until = performance.now() + SINGLE_WRITES_MS
  while (performance.now() < until) await writeOne(load)
  await session.abortTransaction()
  await session.endSession()
}

async function loadUntil(end: number, load: Load): Promise<void> {
  for (const collection of load.collections) {
    await collection.createIndexes(INDEXES.map((key) => ({ key })))
  }
  while (performance.now() < end) {
    await Promise.all(Array.from({ length: LANES }, () => insertBatch(load)))
    await writeSingly(load)
  }
}

const collectionsOf = (client: MongoClient) =>
  ['first', 'second'].map((name) => client.db('bench').collection<Row>(name))

/** How many rows are not as they were acknowledged, and what validation has to say. */
async function countWrong(client: MongoClient, journal: Journal) {
  let wrong = 0
  let leaked = 0
  const present = new Set<number>()
  for (const [at, collection] of collectionsOf(client).entries()) {
    for await (const { _id, version } of collection.find({}, { projection: { version: 1 } })) {
      present.add(_id)
      const noted = journal.get(_id)
      const isRight =
        noted?.collection === at && [noted.acknowledged, noted.attempted].includes(version)
      if (!isRight) wrong++
    }
    const report = await client
      .db('bench')
      .command({ validate: collection.collectionName, full: true })
    if (!report['valid']) wrong += report['errors'].length
    leaked = Number(report['leakedPages'])
  }
  for (const [_id, { acknowledged }] of journal) {
    if (acknowledged !== undefined && !present.has(_id)) wrong++
  }
  return { wrong, leaked }
}

async function run(seed: number) {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-bench-'))
  const loaded = await startProcess(folder)
  const journal: Journal = new Map()
  const { client, child } = loaded
  const load = { client, collections: collectionsOf(client), journal, random: randomOf(seed) }
  const startedAt = performance.now()
  const failure = await loadUntil(startedAt + LOAD_MS, load).then(
    () => undefined,
    (error) => error as Error
  )
  const seconds = (performance.now() - startedAt) / 1_000
  // A process that aborts writes its core first: its clients may see the lost connection before it has ended.
  if (failure !== undefined && child.signalCode === null) {
    await Promise.race([once(child, 'exit'), new Promise((resolve) => setTimeout(resolve, 5_000))])
  }
  const died = child.exitCode !== null || child.signalCode !== null
  await stopProcess(loaded)
  const again = await startProcess(folder)
  const { wrong, leaked } = await countWrong(again.client, journal)
  await stopProcess(again)
  await rm(folder, { recursive: true, force: true })
  const end = died ? `died by ${child.signalCode}` : (failure?.message ?? 'lived')
  console.log(
    `     seed ${seed}: ${end} after ${seconds.toFixed(1)} s, ${journal.size} rows, ${wrong} wrong, ${leaked} pages leaked`
  )
  return { died, failed: failure !== undefined, wrong }
}

let [deaths, failures, wrongs] = [0, 0, 0]
for (const seed of SEEDS) {
  const { died, failed, wrong } = await run(seed)
  if (died) deaths++
  else if (failed) failures++
  wrongs += wrong
}
printFigure('processes that died', deaths, { atMost: 0 }, `of ${SEEDS.length}`)
printFigure('writes that failed', failures, { atMost: 0 }, `in ${SEEDS.length} runs`)
printFigure('rows that differ from what was acknowledged', wrongs, { atMost: 0 }, '')
