// The journal of opt-outs: on disk before it is acknowledged, replayed whatever dies or hangs meanwhile.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { databaseUri } from '@keelson/sdk/testing'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import { resubscribe, upsertSubscription } from '../../../consent/subscribe.ts'
import type { MailContact } from '../../../contracts/mailer-core.ts'
import { testContext } from '../../../test/test-context.ts'
import type { OptOut } from '../record-opt-outs.ts'
import { drainPendingUnsubscribes } from './drain-journal.ts'
import { appendLines, claimJournal } from './journal-file.ts'
import { formatOptOut, parseOptOut } from './pending-opt-out.ts'

const CHILD = fileURLToPath(new URL('../../../test/journal-child.js', import.meta.url))
const at = new Date('2026-03-01T10:00:00Z')
const optOut = (name: string, more: Partial<OptOut> = {}): OptOut => ({
  email: `${name}@example.test`,
  scope: 'marketing',
  at,
  ...more
})

async function open(t: Test, config: object = {}, contacts: readonly MailContact[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-journal-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'own', 'pending.jsonl')
  const kit = await testContext(t, { contacts, config: { pendingUnsubsPath: path, ...config } })
  const write = (...optOuts: readonly OptOut[]) => appendLines(path, optOuts.map(formatOptOut))
  const drain = (context = kit.context) => drainPendingUnsubscribes(context)
  const suppressed = async () => {
    const rows = await kit.context.collections.suppressions.find().sort({ email: 1 }).toArray()
    return rows.map(({ email, scope }) => `${email} ${scope}`)
  }
  const files = () => readdir(dirname(path))
  return { ...kit, path, write, drain, suppressed, files }
}

function start(t: Test, ...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => void child.kill('SIGKILL'))
  return child
}

test('a line says what was asked for, and any other text is not read', async (t) => {
  fc.assert(
    fc.property(
      fc.record(
        {
          scope: fc.constantFrom('all', 'marketing', 'transactional'),
          category: fc.string({ minLength: 1 }),
          sendId: fc.string({ minLength: 1 })
        },
        { requiredKeys: ['scope'] }
      ),
      (more) => {
        const asked = optOut('a', more as Partial<OptOut>)
        const line = formatOptOut(asked)
        const read = parseOptOut(line)
        return !line.includes('\n') && read !== undefined && formatOptOut(read) === line
      }
    )
  )
  fc.assert(fc.property(fc.string(), (text) => parseOptOut(text) === undefined))
  const refused = ['', 'null', '[]', '{}', '{"v":1}', formatOptOut(optOut('a')).replace('@', '#')]
  for (const line of refused) t.equal(parseOptOut(line), undefined, line)
})

test('the journal and its folder are for their owner alone, and links are not followed', async (t) => {
  const { path, write, drain, suppressed } = await open(t)
  await write(optOut('ann'))
  t.equal((await stat(path)).mode & 0o777, 0o600)
  t.equal((await stat(dirname(path))).mode & 0o777, 0o700)
  t.same(await drain(), { applied: 1, deferred: 0 })
  const elsewhere = join(dirname(path), 'elsewhere')
  await writeFile(elsewhere, 'mine')
  await symlink(elsewhere, path)
  await t.rejects(write(optOut('bob')), { code: 'ELOOP' })
  await t.rejects(drain(), { code: 'ELOOP' })
  t.equal(await readFile(elsewhere, 'utf8'), 'mine')
  t.same(await suppressed(), ['ann@example.test marketing'])
})

test('a replay applies every opt-out once and leaves no file', async (t) => {
  const { write, drain, suppressed, files } = await open(t)
  await write(optOut('ann', { scope: 'all' }), optOut('bob', { category: 'news' }))
  await write(optOut('ann', { scope: 'all' }))
  t.same(await drain(), { applied: 3, deferred: 0 })
  t.same(await suppressed(), ['ann@example.test all', 'bob@example.test category:news'])
  t.same(await files(), [])
  t.same(await drain(), { applied: 0, deferred: 0 })
})

test('an opt-out that was taken back while it waited is not applied, and a later one is', async (t) => {
  const contact = (externalId: string) => {
    return { externalId, email: `${externalId}@example.test`, tags: [], fields: {} }
  }
  const kit = await open(t, {}, ['ann', 'bob', 'cay'].map(contact))
  const { context, write, drain, suppressed } = kit
  const again = { source: 'test' }
  const now = context.clock.now()
  const before = new Date(now.getTime() - 60_000)
  const after = new Date(now.getTime() + 60_000)
  await resubscribe(context, { externalId: 'ann', ...again })
  await resubscribe(context, { externalId: 'bob', ...again, scope: 'all' })
  await upsertSubscription(context, { externalId: 'cay', ...again, consentTimestamp: now })
  await write(
    optOut('ann', { at: before }),
    optOut('ann', { at: before, category: 'news' }),
    optOut('bob', { at: before, category: 'news' }),
    optOut('bob', { at: after }),
    optOut('cay', { at: before })
  )
  t.same(await drain(), { applied: 5, deferred: 0 })
  t.same(await suppressed(), [
    'ann@example.test category:news',
    'bob@example.test marketing',
    'cay@example.test marketing'
  ])
})

test('without a journal there is nothing to replay', async (t) => {
  const { context } = await testContext(t)
  t.same(await drainPendingUnsubscribes(context), { applied: 0, deferred: 0 })
})

test('unreadable lines are set aside and do not stop the rest', async (t) => {
  const { path, write, drain, suppressed, files, logged } = await open(t)
  await write(optOut('ann'))
  const cut = formatOptOut(optOut('cut')).slice(0, 30)
  await writeFile(path, `not json\n${await readFile(path, 'utf8')}${cut}`)
  await write(optOut('bob'))
  t.same(await drain(), { applied: 2, deferred: 0 })
  t.same(await suppressed(), ['ann@example.test marketing', 'bob@example.test marketing'])
  t.same(await files(), ['pending.jsonl.unreadable'])
  const aside = await readFile(`${path}.unreadable`, 'utf8')
  t.same(aside.split('\n').filter(Boolean), ['not json', cut])
  t.match(logged, [{ level: 'error', fields: { lines: 2 } }])
})

test('a database that hangs defers everything within the time of one write', async (t) => {
  const { context, path, write, drain, suppressed } = await open(t, {
    unsubscribeWriteTimeoutMs: 50
  })
  await write(...Array.from({ length: 200 }, (_, n) => optOut(`p${n}`)))
  let asked = 0
  const hanging = Object.create(context, {
    withTransaction: {
      value: () => {
        asked++
        return new Promise(() => undefined)
      }
    }
  })
  t.same(await drain(hanging), { applied: 0, deferred: 200 })
  t.equal(asked, 1, 'the rest was not even asked')
  t.same(await suppressed(), [])
  t.equal((await readFile(path, 'utf8')).split('\n').filter(Boolean).length, 200)
})

test('an opt-out that fails is deferred alone', async (t) => {
  const { context, write, drain, suppressed } = await open(t)
  await write(optOut('ann'), optOut('bob'))
  let fails = 2
  const failing = Object.create(context, {
    withTransaction: {
      value: (fn: never) => {
        if (fails-- <= 0) return context.withTransaction(fn)
        return Promise.reject(new Error('no primary'))
      }
    }
  })
  t.same(await drain(failing), { applied: 1, deferred: 1 })
  t.same(await drain(), { applied: 1, deferred: 0 })
  t.equal((await suppressed()).length, 2)
})

test('a replay that is killed midway is finished by the next process', async (t) => {
  const { db, path, write, drain, suppressed, files } = await open(t)
  await write(...Array.from({ length: 450 }, (_, n) => optOut(`p${n}`)))
  const child = start(t, 'drain', path, await databaseUri(), db.databaseName, '2')
  const [, signal] = await once(child, 'exit')
  t.equal(signal, 'SIGKILL')
  t.equal((await suppressed()).length, 200)
  t.equal((await files()).length, 1, 'the claim of the dead process')
  t.same(await drain(), { applied: 450, deferred: 0 })
  t.equal((await suppressed()).length, 450)
  t.same(await files(), [])
})

test('the claim of a living process is left to it for five minutes', async (t) => {
  const { context, path, write, drain, pass } = await open(t)
  await write(optOut('ann'))
  t.equal((await claimJournal(path, context.clock.now())).length, 1)
  t.same(await drain(), { applied: 0, deferred: 0 })
  pass(5 * 60_000 + 1000)
  t.same(await drain(), { applied: 1, deferred: 0 })
})

test('what writers acknowledged is applied, with replays in several processes and kills', async (t) => {
  const { db, path, write, drain, suppressed, files } = await open(t)
  await write(optOut('first'))
  const acknowledged: string[] = []
  let onLine = () => {}
  const acknowledges = async (count: number) => {
    while (acknowledged.length < count) await new Promise<void>((resolve) => (onLine = resolve))
  }
  const writers = ['a', 'b', 'c'].map((prefix) => start(t, 'append', path, prefix))
  for (const { stdout } of writers) {
    if (stdout === null) continue
    createInterface({ input: stdout }).on('line', (line) => {
      acknowledged.push(line)
      onLine()
    })
  }
  const closed = writers.map((writer) => once(writer, 'close'))
  const replays = Array.from({ length: 3 }, async (_, n) => {
    const child = start(t, 'drain', path, await databaseUri(), db.databaseName, String(n + 1))
    await once(child, 'exit')
  })
  for (const writer of writers) {
    await acknowledges(acknowledged.length + 20)
    await drain()
    writer.kill('SIGKILL')
  }
  await Promise.all([...replays, ...closed])
  await drain()
  const found = new Set(await suppressed())
  const lost = acknowledged.filter((email) => !found.has(`${email} marketing`))
  t.same(lost, [])
  t.same(
    (await files()).filter((name) => !name.endsWith('.unreadable')),
    []
  )
})
