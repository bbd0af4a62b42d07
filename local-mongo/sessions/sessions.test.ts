// Labels, the cluster's clock, the register of sessions, and how commands enter their session.
import { Timestamp } from 'bson'
import { test } from 'tap'
import type { Transaction, TransactionId, Transactions } from '../engine.ts'
import { ClusterClock } from './cluster-clock.ts'
import type { Entry } from './enter.ts'
import { enterSession } from './enter.ts'
import type { FailedCommand } from './labels.ts'
import { labelsOf } from './labels.ts'
import { SessionRegistry } from './session-registry.ts'
import { SNAPSHOT_IDLE_MS, SnapshotRegistry } from './snapshots.ts'

const plain: FailedCommand = { transaction: 'none', isRetryableWrite: false, isChangeStream: false }

for (const [name, failed, labels] of [
  [
    'a conflict in a transaction',
    { code: 112, transaction: 'statement' },
    ['TransientTransactionError']
  ],
  ['a conflict outside', { code: 112 }, []],
  [
    'a lost primary in a transaction',
    { code: 10_107, transaction: 'statement' },
    ['TransientTransactionError']
  ],
  [
    'a lost primary in a retryable write',
    { code: 10_107, isRetryableWrite: true },
    ['RetryableWriteError']
  ],
  ['a lost primary in a plain read', { code: 10_107 }, []],
  [
    'a commit without its transaction',
    { code: 251, transaction: 'end' },
    ['TransientTransactionError']
  ],
  [
    'a commit whose write concern failed too',
    { code: 251, writeConcernCode: 64, transaction: 'end' },
    []
  ],
  ['a shutdown at commit', { code: 91, transaction: 'end' }, ['RetryableWriteError']],
  [
    'a shutdown seen by the write concern',
    { writeConcernCode: 91, isRetryableWrite: true },
    ['RetryableWriteError']
  ],
  ['a timeout of the write concern', { writeConcernCode: 64, isRetryableWrite: true }, []],
  ['a duplicate key in a retryable write', { code: 11_000, isRetryableWrite: true }, []],
  [
    'a lost cursor of a change stream',
    { code: 43, isChangeStream: true },
    ['ResumableChangeStreamError']
  ],
  ['a lost history of a change stream', { code: 286, isChangeStream: true }, []]
] as [string, Partial<FailedCommand>, string[]][]) {
  test(`${name} has the labels ${labels.join(', ') || 'none'}`, async (t) => {
    t.same(labelsOf({ ...plain, ...failed }), labels)
  })
}

test('the clock moves with each write and never goes back', async (t) => {
  let now = 5_000
  const clock = new ClusterClock(() => now)
  const first = clock.current
  const second = clock.tick()
  t.ok(second.greaterThan(first))
  now = 1_000
  t.ok(clock.tick().greaterThan(second))
  now = 9_000
  t.equal(clock.tick().getHighBitsUnsigned(), 9)
})

test('the clock takes over later times, but not earlier or absurd ones', async (t) => {
  const clock = new ClusterClock(() => 5_000)
  clock.advanceTo(new Timestamp({ t: 6, i: 3 }))
  t.same([clock.current.getHighBitsUnsigned(), clock.current.getLowBitsUnsigned()], [6, 3])
  clock.advanceTo(new Timestamp({ t: 6, i: 2 }))
  clock.advanceTo(new Timestamp({ t: 0xffffffff, i: 1 }))
  t.same([clock.current.getHighBitsUnsigned(), clock.current.getLowBitsUnsigned()], [6, 3])
})

test('sessions end half an hour after their last use', async (t) => {
  const sessions = new SessionRegistry()
  sessions.touch('a', 0)
  sessions.touch('b', 0)
  sessions.touch('a', 60_000)
  t.same(sessions.takeExpired(30 * 60_000 + 1), ['b'])
  t.same(sessions.all(), ['a'])
  sessions.end('a')
  t.equal(sessions.size, 0)
})

test('too many sessions are refused, those that exist go on', async (t) => {
  const sessions = new SessionRegistry(1)
  sessions.touch('a', 0)
  sessions.touch('a', 1)
  t.throws(() => sessions.touch('b', 2), { code: 261 })
})

/** Transactions that only note what they were asked. */
function fakeTransactions(): { readonly transactions: Transactions; readonly calls: string[] } {
  const calls: string[] = []
  const make = (id: TransactionId): Transaction => ({ id, state: 'running' })
  const transactions: Transactions = {
    begin: (id) => {
      calls.push(`begin ${id.sessionId}`)
      return make(id)
    },
    resume: (id) => {
      calls.push(`resume ${id.sessionId}`)
      return make(id)
    },
    commit: async () => {},
    abort: () => {},
    endSession: (sessionId) => calls.push(`end ${sessionId}`),
    abortIdle: () => 0,
    open: () => []
  }
  return { transactions, calls }
}

const entry: Entry = {
  command: { name: 'insert', inTransaction: true, isRetryable: true },
  db: 'd',
  sessionId: 's',
  txnNumber: undefined,
  startTransaction: false,
  autocommit: undefined,
  statementIds: undefined,
  hasReadConcern: false,
  hasWriteConcern: false,
  now: new Date(0)
}

test('without a transaction number a command enters plainly', async (t) => {
  t.same(enterSession(entry, fakeTransactions()), { kind: 'plain' })
})

test('a transaction number alone makes a retryable write', async (t) => {
  const entered = enterSession({ ...entry, txnNumber: 3n, statementIds: [1] }, fakeTransactions())
  t.same(entered, {
    kind: 'retryable',
    retry: { sessionId: 's', txnNumber: 3n, statementIds: [1] }
  })
})

test('the first statement begins the transaction, later ones go on with it', async (t) => {
  const fake = fakeTransactions()
  const statement = { ...entry, txnNumber: 3n, autocommit: false }
  t.equal(enterSession({ ...statement, startTransaction: true }, fake).kind, 'statement')
  t.equal(enterSession(statement, fake).kind, 'statement')
  t.same(fake.calls, ['begin s', 'resume s'])
})

test('the command that ends a transaction is known as such', async (t) => {
  const command = { name: 'commitTransaction', endsTransaction: true } as const
  const entered = enterSession(
    { ...entry, command, txnNumber: 3n, autocommit: false },
    fakeTransactions()
  )
  t.same(entered, { kind: 'end', sessionId: 's', txnNumber: 3n })
})

const count = { name: 'count' }
for (const [name, change, code] of [
  ['startTransaction without autocommit', { startTransaction: true }, 72],
  ['autocommit: true', { autocommit: true }, 72],
  ['autocommit without a number', { autocommit: false }, 72],
  ['a commit outside a transaction', { command: { name: 'x', endsTransaction: true } }, 125],
  ['a number on a command that cannot be retried', { command: count, txnNumber: 1n }, 50_768],
  [
    'a command that may not be in a transaction',
    { command: count, txnNumber: 1n, autocommit: false },
    263
  ],
  [
    'a database of the system in a transaction',
    { db: 'config', txnNumber: 1n, autocommit: false },
    263
  ],
  [
    'a write concern inside a transaction',
    { hasWriteConcern: true, txnNumber: 1n, autocommit: false },
    72
  ],
  [
    'a read concern after the first statement',
    { hasReadConcern: true, txnNumber: 1n, autocommit: false },
    72
  ]
] as [string, Partial<Entry>, number][]) {
  test(`${name} is refused with ${code}`, async (t) => {
    t.throws(() => enterSession({ ...entry, ...change }, fakeTransactions()), { code })
  })
}

test('a snapshot is read again by its time, until it was idle for a minute', async (t) => {
  const fake = fakeTransactions()
  const snapshots = new SnapshotRegistry(fake, new ClusterClock(() => 0))
  const { at } = snapshots.take(undefined, 0)
  snapshots.take(at, SNAPSHOT_IDLE_MS)
  snapshots.endIdle(SNAPSHOT_IDLE_MS + 1)
  t.equal(snapshots.size, 1)
  snapshots.endIdle(2 * SNAPSHOT_IDLE_MS + 1)
  t.equal(snapshots.size, 0)
  t.throws(() => snapshots.take(at, 0), { code: 239 })
})

test('the oldest snapshot goes when too many are held', async (t) => {
  const snapshots = new SnapshotRegistry(fakeTransactions(), new ClusterClock(() => 0))
  const first = snapshots.take(undefined, 0)
  for (let index = 0; index < 32; index++) snapshots.take(undefined, 0)
  t.equal(snapshots.size, 32)
  t.throws(() => snapshots.take(first.at, 0), { code: 239 })
  snapshots.closeAll()
  t.equal(snapshots.size, 0)
})
