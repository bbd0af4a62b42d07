// One health check: its time limit, its kept answer, and what it may answer.
import type { HealthCheck } from '@keelson/sdk'
import { test } from 'tap'
import { rememberingLog } from '../schedule/testing/silent-log.ts'
import { createProbe } from './health-check.ts'

function open(check: HealthCheck, limitMs?: number) {
  let now = new Date('2026-03-01T10:00:00Z')
  const { log, lines } = rememberingLog()
  const stop = new AbortController()
  const probe = createProbe({
    plugin: 'alpha',
    name: 'provider',
    check,
    clock: { now: () => now },
    log,
    stop: stop.signal,
    redact: (text) => text.replaceAll('s3cr3t', '[secret]'),
    ...(limitMs !== undefined && { limitMs })
  })
  return {
    probe,
    lines,
    stop,
    advance(ms: number) {
      now = new Date(now.getTime() + ms)
    }
  }
}

test('an answer has the name of the check, the time and no secret', async (t) => {
  const { probe } = open(() => ({ state: 'degraded', reason: 'key s3cr3t expires soon' }))
  t.same(await probe.read(false), {
    name: 'provider',
    state: 'degraded',
    reason: 'key [secret] expires soon',
    checkedAt: '2026-03-01T10:00:00.000Z'
  })
})

test('an answer is kept for ten seconds, unless a fresh one is asked for', async (t) => {
  let runs = 0
  const { probe, advance } = open(() => {
    runs++
    return { state: 'ok' }
  })
  await Promise.all([probe.read(false), probe.read(false)])
  advance(9_999)
  await probe.read(false)
  t.equal(runs, 1)
  advance(1)
  await probe.read(false)
  t.equal(runs, 2)
  await probe.read(true)
  t.equal(runs, 3)
})

test('a check that throws, or answers something else, is failing', async (t) => {
  const thrown = open(() => Promise.reject(new Error('s3cr3t is refused')))
  t.match(await thrown.probe.read(false), { state: 'failing', reason: '[secret] is refused' })
  for (const answer of [undefined, {}, { state: 'fine' }]) {
    const { probe } = open(() => answer as never)
    t.match(await probe.read(false), { state: 'failing', reason: /did not return a health/ })
  }
})

test('a check that ignores its signal fails, and is not started again before it ends', async (t) => {
  let runs = 0
  let end = () => {}
  const signals: AbortSignal[] = []
  const { probe } = open(async ({ signal }) => {
    runs++
    signals.push(signal)
    await new Promise<void>((resolve) => {
      end = resolve
    })
    return { state: 'ok' }
  }, 250)
  t.match(await probe.read(true), { state: 'failing', reason: /"provider" did not end within/ })
  t.equal(signals[0]?.aborted, true)
  t.match(await probe.read(true), { state: 'failing' })
  t.equal(runs, 1)
  end()
  await new Promise((resolve) => setImmediate(resolve))
  const again = probe.read(true)
  await new Promise((resolve) => setImmediate(resolve))
  end()
  t.match(await again, { state: 'ok' })
})

test('a change of the state is logged once', async (t) => {
  let state: 'ok' | 'failing' = 'failing'
  const { probe, lines } = open(() => ({ state }))
  for (const next of ['failing', 'failing', 'ok', 'ok'] as const) {
    state = next
    await probe.read(true)
  }
  t.match(
    lines.map(({ level, msg }) => [level, msg]),
    [
      [40, /is failing/],
      [30, /ok again/]
    ]
  )
})

test('a check ends when the plugin stops, without a word in the log', async (t) => {
  const { probe, stop, lines } = open(() => new Promise(() => {}))
  const reading = probe.read(false)
  stop.abort(new Error('the host closes'))
  t.match(await reading, { state: 'failing', reason: 'the host closes' })
  t.same(lines, [])
})
