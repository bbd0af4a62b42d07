// When the command starts its server again.
import fc from 'fast-check'
import { test } from 'tap'
import { EXIT_SERVER_KILLED } from './exit-codes.ts'
import type { ServerEnd } from './respawn.ts'
import { afterEnd, MOST_ENDS } from './respawn.ts'

const killed = (at: number, signal = 'SIGABRT'): ServerEnd => {
  return { at, code: null, signal, wasAsked: false }
}

test('a server that was killed starts again, each time after twice the pause', async (t) => {
  const times = [0, 1_000, 2_000, 3_000]
  const pauses = times.map((now, last) =>
    afterEnd(
      times.slice(0, last + 1).map((at) => killed(at)),
      now
    )
  )
  t.same(pauses, [
    { kind: 'start', afterMs: 100, ends: 1 },
    { kind: 'start', afterMs: 200, ends: 2 },
    { kind: 'start', afterMs: 400, ends: 3 },
    { kind: 'start', afterMs: 800, ends: 4 }
  ])
})

test('a minute later the pause is short again', async (t) => {
  const history = [killed(0), killed(1), killed(60_001)]
  t.same(afterEnd(history, 60_001), { kind: 'start', afterMs: 100, ends: 1 })
})

test('an exit code is passed on, whatever came before', async (t) => {
  for (const code of [0, 1, 2, 75]) {
    const last = { at: 5, code, signal: null, wasAsked: false }
    t.same(afterEnd([killed(1), last], 5), { kind: 'exit', exitCode: code })
  }
})

test('a server that is asked to end does not start again', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    t.same(afterEnd([killed(1, signal)], 1), { kind: 'exit', exitCode: 0 })
  }
  const last = { ...killed(1, 'SIGKILL'), wasAsked: true }
  t.match(afterEnd([last], 1), { kind: 'give up', exitCode: EXIT_SERVER_KILLED })
})

test('the fifth end within a minute is the last, and no earlier one is', async (t) => {
  const gaps = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(gaps, (between) => {
      let now = 0
      const times = between.map((gap) => (now += gap))
      const history = times.map((at) => killed(at)).slice(-MOST_ENDS)
      const ends = times.filter((at) => now - at < 60_000).length
      const next = afterEnd(history, now)
      t.equal(next.kind, ends >= 5 ? 'give up' : 'start')
      if (next.kind === 'start') t.ok(next.afterMs >= 100 && next.afterMs <= 800)
    })
  )
})
