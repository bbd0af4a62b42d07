// What the server does by the clock, with a movable clock.
import { EventEmitter, once } from 'node:events'
import tap, { test } from 'tap'
import type { LogEvent } from '../commands/log.ts'
import { CursorRegistry } from '../cursors/cursor-registry.ts'
import type { Engine, SweepOptions } from '../engine.ts'
import { ClusterClock } from '../sessions/cluster-clock.ts'
import { SessionRegistry } from '../sessions/session-registry.ts'
import { SnapshotRegistry } from '../sessions/snapshots.ts'
import { startHousekeeping } from './housekeeping.ts'

// Most of what these tests do is wait, so they do it side by side.
tap.jobs = 8

const HOUR = 3_600_000

/** As much of an engine as housekeeping needs; each part fails when it is told to. */
function fakeEngine(failing: 'sweep' | 'transactions' | 'nothing'): Engine {
  const transactions = {
    abortIdle: () => {
      if (failing === 'transactions') throw new Error('broken')
      return 0
    },
    endSession: () => {}
  }
  const sweepExpired = async (): Promise<number> => {
    if (failing === 'sweep') throw new Error('broken')
    return 0
  }
  return { transactions, sweepExpired } as unknown as Engine
}

test('idle sessions are ended', async (t) => {
  const engine = fakeEngine('nothing')
  const sessions = new SessionRegistry()
  sessions.touch('old', 0)
  const ended = new EventEmitter()
  const housekeeping = startHousekeeping(
    {
      engine,
      sessions,
      parameters: { ttlMonitorEnabled: true },
      cursors: new CursorRegistry(),
      snapshots: new SnapshotRegistry(engine, new ClusterClock()),
      now: () => HOUR,
      log: () => {}
    },
    (ids) => ended.emit('sessions', ids)
  )
  const keepAlive = setInterval(() => {}, 1_000)
  const [ids] = await once(ended, 'sessions')
  clearInterval(keepAlive)
  t.same(ids, ['old'])
  await housekeeping.stop()
})

test('documents are not expired while the TTL monitor is off', async (t) => {
  const swept = new EventEmitter()
  const engine = {
    ...fakeEngine('nothing'),
    sweepExpired: async (_now: Date, options: SweepOptions) => {
      swept.emit('sweep', options)
      return 0
    }
  }
  const housekeeping = startHousekeeping(
    {
      engine: engine as unknown as Engine,
      parameters: { ttlMonitorEnabled: false },
      sessions: new SessionRegistry(),
      cursors: new CursorRegistry(),
      snapshots: new SnapshotRegistry(fakeEngine('nothing'), new ClusterClock()),
      now: () => HOUR,
      log: () => {}
    },
    () => {}
  )
  const keepAlive = setInterval(() => {}, 1_000)
  const [options] = await once(swept, 'sweep')
  clearInterval(keepAlive)
  t.match(options, { ttl: false })
  await housekeeping.stop()
})

for (const [failing, message] of [
  ['sweep', 'expiring documents failed'],
  ['transactions', 'housekeeping failed']
] as const) {
  test(`a failure of the ${failing} is logged, and the rest goes on`, async (t) => {
    const engine = fakeEngine(failing)
    const told = new EventEmitter()
    const housekeeping = startHousekeeping(
      {
        engine,
        parameters: { ttlMonitorEnabled: true },
        sessions: new SessionRegistry(),
        cursors: new CursorRegistry(),
        snapshots: new SnapshotRegistry(engine, new ClusterClock()),
        now: () => HOUR,
        log: (event) => told.emit('event', event)
      },
      () => {}
    )
    const keepAlive = setInterval(() => {}, 1_000)
    const [event] = (await once(told, 'event')) as [LogEvent]
    clearInterval(keepAlive)
    t.match(event, { level: 'error', message, reason: /broken/ })
    await housekeeping.stop()
  })
}
