// Open cursors: owners, use, kills, idleness and bounds.
import { test } from 'tap'
import type { CursorSource, NewCursor } from './cursor-registry.ts'
import { CursorRegistry, IDLE_CURSOR_MS } from './cursor-registry.ts'

const namespace = { db: 'd', collection: 'c' }
const nobody = { sessionId: undefined, txnNumber: undefined }

function source(): CursorSource & { closed: number; exhausted: boolean } {
  const made = {
    closed: 0,
    exhausted: false,
    next: async () => [],
    close: () => {
      made.closed++
    }
  }
  return made
}
const cursor = (from: CursorSource, change: Partial<NewCursor> = {}): NewCursor => ({
  namespace,
  source: from,
  ...nobody,
  ...change
})

test('a cursor is taken into use and given back, and closed at its end', async (t) => {
  const cursors = new CursorRegistry()
  const rows = source()
  const id = cursors.open(cursor(rows), 0)
  t.ok(id > 0n)
  const taken = cursors.checkOut(id, namespace, nobody)
  t.throws(() => cursors.checkOut(id, namespace, nobody), { code: 12_051 })
  cursors.checkIn(taken, 1)
  t.equal(cursors.size, 1)
  cursors.checkOut(id, namespace, nobody)
  rows.exhausted = true
  cursors.checkIn(taken, 2)
  t.equal(cursors.size, 0)
  t.equal(rows.closed, 1)
  t.throws(() => cursors.checkOut(id, namespace, nobody), { code: 43 })
})

test('every id is too large for a number of JavaScript', async (t) => {
  const cursors = new CursorRegistry()
  const ids = Array.from({ length: 4096 }, () => cursors.open(cursor(source()), 0))
  t.ok(ids.every((id) => id > BigInt(Number.MAX_SAFE_INTEGER) && id < 1n << 63n))
})

test('a cursor is bound to its namespace, session and transaction', async (t) => {
  const cursors = new CursorRegistry()
  const free = cursors.open(cursor(source()), 0)
  const owned = cursors.open(cursor(source(), { sessionId: 's', txnNumber: 1n }), 0)
  t.throws(() => cursors.checkOut(free, { db: 'd', collection: 'x' }, nobody), { code: 13 })
  t.throws(() => cursors.checkOut(free, namespace, { ...nobody, sessionId: 's' }), { code: 50_736 })
  t.throws(() => cursors.checkOut(owned, namespace, nobody), { code: 50_738 })
  t.throws(() => cursors.checkOut(owned, namespace, { ...nobody, sessionId: 's' }), {
    code: 50_741
  })
  const other = cursors.open(cursor(source(), { sessionId: 's' }), 0)
  t.throws(() => cursors.checkOut(other, namespace, { sessionId: 's', txnNumber: 1n }), {
    code: 50_739
  })
  t.ok(cursors.checkOut(owned, namespace, { sessionId: 's', txnNumber: 1n }))
})

test('a killed cursor is closed at once, one in use when it comes back', async (t) => {
  const cursors = new CursorRegistry()
  const [first, second] = [source(), source()]
  const killed = cursors.open(cursor(first), 0)
  t.equal(cursors.kill(killed, { db: 'd', collection: 'x' }), false)
  t.equal(cursors.kill(killed, namespace), true)
  t.equal(cursors.kill(killed, namespace), false)
  t.equal(first.closed, 1)
  const taken = cursors.checkOut(cursors.open(cursor(second), 0), namespace, nobody)
  cursors.kill(taken.id, namespace)
  t.equal(second.closed, 0)
  cursors.checkIn(taken, 0)
  t.equal(second.closed, 1)
})

test('sessions and transactions take their cursors with them', async (t) => {
  const cursors = new CursorRegistry()
  cursors.open(cursor(source()), 0)
  cursors.open(cursor(source(), { sessionId: 'a' }), 0)
  cursors.open(cursor(source(), { sessionId: 'b', txnNumber: 1n }), 0)
  cursors.open(cursor(source(), { sessionId: 'b', txnNumber: 2n }), 0)
  cursors.killTransaction('b', 1n)
  t.equal(cursors.size, 3)
  cursors.killSessions(new Set(['a']))
  t.equal(cursors.size, 2)
  cursors.killSessions('all')
  t.equal(cursors.size, 1)
  cursors.closeAll()
  t.equal(cursors.size, 0)
})

test('an idle cursor ends after ten minutes', async (t) => {
  const cursors = new CursorRegistry()
  cursors.open(cursor(source()), 0)
  cursors.open(cursor(source(), { noTimeout: true }), 0)
  const used = cursors.open(cursor(source()), 0)
  cursors.checkOut(used, namespace, nobody)
  t.equal(cursors.endIdle(IDLE_CURSOR_MS), 0)
  t.equal(cursors.endIdle(IDLE_CURSOR_MS + 1), 1)
  t.equal(cursors.timedOut, 1)
  t.equal(cursors.size, 2)
})

test('more cursors than the limit are refused and closed', async (t) => {
  const cursors = new CursorRegistry(1)
  cursors.open(cursor(source()), 0)
  const rows = source()
  t.throws(() => cursors.open(cursor(rows), 0), { code: 146 })
  t.equal(rows.closed, 1)
})
