// A child process for tests of the journal: appends opt-outs, or replays them and kills itself midway.

import { setTimeout as delay } from 'node:timers/promises'
import { plainLog } from '@keelson/kernel/standalone'
import { runTransaction } from '@keelson/sdk'
import { MongoClient } from 'mongodb'
import { drainPendingUnsubscribes } from '../audience/contacts/journal/drain-journal.ts'
import { appendLines } from '../audience/contacts/journal/journal-file.ts'
import { formatOptOut } from '../audience/contacts/journal/pending-opt-out.ts'
import { createMemoryAdapter } from '../audience/contacts/memory-adapter.ts'
import type { MailerContext } from '../ledger/context.ts'
import { openOnDatabase } from '../ledger/storage/collections.ts'

const [, , act, path = '', ...more] = process.argv

/** Between two opt-outs of a process: where the disk is fast, they would outrun every replay. */
const PAUSE_MS = 10

/** Prints each address once its opt-out is on disk. */
async function append(prefix: string): Promise<void> {
  for (let at = 0; ; at++) {
    const email = `${prefix}${at}@example.test`
    await appendLines(path, [formatOptOut({ email, scope: 'marketing', at: new Date() })])
    process.stdout.write(`${email}\n`)
    await delay(PAUSE_MS)
  }
}

/** Dies as if killed from outside when `writes` opt-outs are in the database. */
async function drain(uri: string, database: string, writes: number): Promise<void> {
  const client = await new MongoClient(uri).connect()
  let left = writes
  const context = {
    config: { pendingUnsubsPath: path, unsubscribeWriteTimeoutMs: 5000 },
    collections: openOnDatabase(client.db(database)),
    adapter: createMemoryAdapter([]),
    clock: { now: () => new Date() },
    log: plainLog(),
    async withTransaction(fn: Parameters<MailerContext['withTransaction']>[0]) {
      const result = await runTransaction(client, fn)
      if (--left === 0) process.kill(process.pid, 'SIGKILL')
      return result
    }
  }
  const drained = await drainPendingUnsubscribes(context as unknown as MailerContext)
  process.stdout.write(`${JSON.stringify(drained)}\n`)
  await client.close()
}

if (act === 'append') await append(more[0] ?? '')
else await drain(more[0] ?? '', more[1] ?? '', Number(more[2]))
