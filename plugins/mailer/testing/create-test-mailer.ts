// A mailer for the tests of a host: its own database and contacts, a clock that moves, work that is drained.

import type { Db } from 'mongodb'
import { createMemoryAdapter } from '../audience/contacts/memory-adapter.ts'
import { advanceBroadcasts } from '../campaigns/broadcasts/advance-broadcasts.ts'
import type { MailContact } from '../contracts/mailer-core.ts'
import { type Mailer, type OpenedMailer, openMailer } from '../host/mailer.ts'
import type { ContactAdapter } from '../ledger/adapter.ts'
import type { MailerConfig } from '../ledger/schema.ts'
import {
  createRecordingProvider,
  type RecordingProvider
} from '../providers/recording/recording-provider.ts'

/** What a test may set; everything has a default. */
export interface TestMailerOptions {
  /** Default: a fresh database on the built-in engine, dropped by `stop`. */
  readonly db?: Db
  /** Default: contacts in memory. */
  readonly adapter?: ContactAdapter
  /** For the adapter in memory. */
  readonly seedContacts?: readonly MailContact[]
  /** Default: a recording provider. */
  readonly config?: Partial<MailerConfig>
}

/** A mailer that a test drives. */
export interface TestMailer {
  readonly mailer: Mailer
  readonly db: Db
  /** What was handed over; empty when the configuration names other providers. */
  readonly provider: RecordingProvider
  readonly adapter: ContactAdapter
  readonly clock: {
    now(): Date
    /** Moves the time on; `drain` then does what became due. */
    advance(ms: number): Promise<void>
  }
  /**
   * Runs ticks and due work until nothing is due. `dispatch: false` leaves mails queued. `settled` is false
   * when work kept coming.
   */
  drain(options?: { readonly dispatch?: boolean }): Promise<{ readonly settled: boolean }>
  /** Closes what was opened. */
  stop(): Promise<void>
}

/** A test asks no DNS server, unless its configuration says so. */
const QUIET = { dnsbl: { intervalHours: 0 }, dmarc: { dnsServers: '' } }

const MOST_ROUNDS = 200

/** Makes a mailer for tests. No workers run: `drain` does the work. */
export async function createTestMailer(options: TestMailerOptions = {}): Promise<TestMailer> {
  const database = await databaseOf(options.db)
  const { db } = database
  const provider = createRecordingProvider()
  const adapter = options.adapter ?? createMemoryAdapter(options.seedContacts ?? [])
  let offset = 0
  const clock = { now: () => new Date(Date.now() + offset) }
  const opened = await openMailer(
    {
      db,
      adapter,
      providers: { recording: provider },
      publicUrl: 'https://mail.example.test',
      unsubscribeSecret: 'the secret of a test mailer',
      fromDefaults: { name: 'Test', email: 'test@example.test' },
      ...options.config
    },
    { clock, defaults: QUIET }
  ).catch(async (error) => {
    await database.close()
    throw error
  })
  return {
    mailer: opened.mailer,
    db,
    provider,
    adapter,
    clock: {
      ...clock,
      async advance(ms) {
        offset += ms
      }
    },
    drain: ({ dispatch = true } = {}) => drain(opened, dispatch),
    async stop() {
      await opened.mailer.stop()
      await database.close()
    }
  }
}

/** Queues that hand mails over. */
const DISPATCH = ['mailer/urgent-sends', 'mailer/bulk-sends']
/** Each round runs the tick itself. */
const TICK = 'mailer/tick'

async function drain(
  { tick, context, host }: OpenedMailer,
  isDispatching: boolean
): Promise<{ readonly settled: boolean }> {
  const choice = { without: [TICK, ...(isDispatching ? [] : DISPATCH)] }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await tick()
    await host.runDue(choice)
    const { moved } = await advanceBroadcasts(context)
    const next = await host.queuesDueAt(choice)
    // Read after the queues: what they call due now is due.
    if (moved === 0 && (next === undefined || next > context.clock.now())) return { settled: true }
  }
  return { settled: false }
}

async function databaseOf(
  db: Db | undefined
): Promise<{ readonly db: Db; close(): Promise<void> }> {
  if (db !== undefined) return { db, close: async () => undefined }
  // The engine is a package that only tests need.
  const { testDatabase } = await import('@keelson/sdk/testing')
  const ends: (() => Promise<void> | void)[] = []
  const opened = await testDatabase({ teardown: (end) => void ends.push(end) })
  return {
    db: opened.db,
    async close() {
      for (const end of ends) await end()
    }
  }
}
