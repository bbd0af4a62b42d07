// A mailer context for tests of one part: the real engine, a clock that moves, queues that run when told.
import { plainLog } from '@keelson/kernel/standalone'

import { createGivenMailer, type GivenMailer } from '@keelson/mailer/testing'
import {
  createLimiter,
  createNotify,
  type NotifyFetch,
  openLeases,
  runTransaction,
  type StoredLimit
} from '@keelson/sdk'
import { KERNEL_PREFIX } from '@keelson/sdk/storage'
import { type Teardown, type TestDatabase, testDatabase } from '@keelson/sdk/testing'
import type { Db } from 'mongodb'
import { fetch } from 'undici'
import { createMemoryAdapter } from '../audience/contacts/memory-adapter.ts'
import type { MailContact } from '../contracts/mailer-core.ts'
import type { MailProvider } from '../contracts/mailer-provider.ts'
import type { ContactAdapter } from '../ledger/adapter.ts'
import { resolveConfig } from '../ledger/check-config.ts'
import type { MailerContext } from '../ledger/context.ts'
import { type MailerExtensions, noExtensions } from '../ledger/extensions.ts'
import type { PublishedTemplates } from '../ledger/prepared-template.ts'
import type { QueueHandlers } from '../ledger/queue-handlers.ts'
import type { MailerConfig } from '../ledger/schema.ts'
import { DEFAULT_PREFIX, openOnDatabase, syncIndexes } from '../ledger/storage/collections.ts'
import { openQueuesByCall, type QueuesByCall } from './queues-by-call.ts'

/** The secret of the mailers of tests. */
export const TEST_SECRET = 'a secret of some length'

/** What a test may set; everything has a default. */
export interface TestContextOptions {
  readonly config?: Partial<MailerConfig>
  readonly contacts?: readonly MailContact[]
  readonly adapter?: ContactAdapter
  readonly providers?: Readonly<Record<string, MailProvider>>
  /** Handlers of queues that the test runs. Default: one that fails. */
  readonly handlers?: (context: MailerContext) => Partial<QueueHandlers>
  readonly templates?: PublishedTemplates
  readonly extensions?: Partial<MailerExtensions>
  readonly core?: GivenMailer
  readonly now?: Date
}

/** A line that was logged. */
export interface LoggedLine {
  readonly level: 'error' | 'warn' | 'info'
  readonly fields: object
  readonly message: string
}

/** A context and what the test moves it with. */
export interface TestContext extends TestDatabase {
  readonly context: MailerContext
  readonly queues: QueuesByCall
  readonly logged: LoggedLine[]
  /** Moves the clock on; nothing runs by itself. */
  pass(ms: number): void
}

/** Databases with all collections and indexes that no test uses now. Making one takes a quarter of a second. */
const unused: string[] = []
let made = 0
/** More documents than this are removed faster with their collections. */
const FEW = 1_000

/** Opens an empty database with all collections and indexes: a new one, or one that another test has left. */
async function emptyDatabase(t: Teardown): Promise<TestDatabase> {
  if ((process.env['MONGODB_URI'] ?? '') !== '') {
    const database = await testDatabase(t)
    await syncIndexes(database.db)
    return database
  }
  const left = unused.pop()
  const name = left ?? `test_mailer_${process.pid}_${made++}`
  t.teardown(() => void unused.push(name))
  const database = await testDatabase(t, name)
  const { db } = database
  const { objects = 0 } = left === undefined ? {} : await db.stats()
  if (objects > 0 && objects < FEW) await emptied(db)
  else {
    if (objects > 0) await db.dropDatabase()
    await syncIndexes(db)
  }
  database.commands()
  return database
}

/** Leaves what says which collections and indexes Keelson made. */
async function emptied(db: Db): Promise<void> {
  const listed = await db.listCollections({}, { nameOnly: true }).toArray()
  const names = listed.map(({ name }) => name).filter((name) => !name.startsWith(KERNEL_PREFIX))
  const own = names.filter((name) => name.startsWith(DEFAULT_PREFIX))
  const others = names.filter((name) => !own.includes(name))
  await Promise.all([
    ...others.map((name) => db.dropCollection(name)),
    ...(await filled(db, own)).map((name) => db.collection(name).deleteMany({}))
  ])
}

/** Those that hold documents: most tests write to a few, and asking for each takes longer than they. */
async function filled(db: Db, [first = '', ...others]: readonly string[]): Promise<string[]> {
  const one = (name: string) => [{ $limit: 1 }, { $project: { _id: { $literal: name } } }]
  const found = db
    .collection(first)
    .aggregate<{ readonly _id: string }>([
      ...one(first),
      ...others.map((coll) => ({ $unionWith: { coll, pipeline: one(coll) } }))
    ])
  return (await found.toArray()).map(({ _id }) => _id)
}

/** Opens an empty database with all collections and indexes. */
export async function testContext(
  t: Teardown,
  options: TestContextOptions = {}
): Promise<TestContext> {
  const database = await emptyDatabase(t)
  return { ...database, ...contextOn(database, options) }
}

/** A context on a database that has collections and indexes: for processes that a test starts. */
export function contextOn(
  { db, client }: Pick<TestDatabase, 'db' | 'client'>,
  options: TestContextOptions = {}
): Omit<TestContext, keyof TestDatabase> {
  const collections = openOnDatabase(db)
  let offset = options.now === undefined ? 0 : options.now.getTime() - Date.now()
  const clock = { now: () => new Date(Date.now() + offset) }
  const logged: LoggedLine[] = []
  const note = (level: LoggedLine['level']) => (fields: object, message: string) => {
    logged.push({ level, fields, message })
  }
  const log = plainLog({ error: note('error'), warn: note('warn'), info: note('info') })
  const adapter = options.adapter ?? createMemoryAdapter(options.contacts)
  const providers = options.providers ?? { recording: silentProvider }
  const config = resolveConfig({
    db,
    adapter,
    providers,
    publicUrl: 'https://mail.example.test',
    unsubscribeSecret: TEST_SECRET,
    ...options.config
  })
  const limiter = createLimiter({ collection: db.collection<StoredLimit>('mailer_limits'), clock })
  const lease = openLeases({ db, clock, owner: 'mailer' })
  const parts = { config, collections, adapter, clock, log }
  const context: MailerContext = {
    ...parts,
    providers: new Map(Object.entries(providers)),
    templates: options.templates ?? { load: async () => new Map() },
    extensions: { ...noExtensions, ...options.extensions },
    withTransaction: (fn) => runTransaction(client, fn),
    limit: (name, limit) => limiter.limit(name, limit),
    lease,
    notify: createNotify({ ...parts, db, owner: 'mailer', lease, fetch: fetch as NotifyFetch }),
    admits: async () => true,
    core: createGivenMailer(options.core),
    get queues() {
      return queues
    }
  }
  const handlers = { ...failing, ...options.handlers?.(context) }
  const queues = openQueuesByCall({ ...parts, handlers })
  const pass = (ms: number) => {
    offset += ms
  }
  return { context, queues, logged, pass }
}

const unexpected = {
  batch(): never {
    throw new Error('this test gave no handler for the queue')
  }
}
const failing: QueueHandlers = {
  urgentSends: unexpected,
  bulkSends: unexpected,
  events: unexpected,
  outbox: unexpected,
  flowRuns: unexpected,
  webhookEvents: unexpected
}

const silentProvider: MailProvider = {
  name: 'recording',
  send: async () => ({ status: 'accepted', providerId: 'recorded' }),
  verifyWebhook: () => false,
  parseWebhookEvents: () => []
}
