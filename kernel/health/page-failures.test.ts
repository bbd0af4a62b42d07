// Failures of pages: counted by what happened, bounded, gone after an hour.
import { test } from 'tap'
import { rememberingLog } from '../schedule/testing/silent-log.ts'
import { createPageFailures } from './page-failures.ts'

function open() {
  let now = new Date('2026-03-01T10:00:00Z')
  const { log, lines } = rememberingLog()
  const redact = (text: string) => text.replaceAll('s3cr3t', '[secret]')
  const failures = createPageFailures({ clock: { now: () => now }, log, redact })
  return {
    failures,
    lines,
    advance(ms: number) {
      now = new Date(now.getTime() + ms)
    }
  }
}

test('the same failure is counted and logged once', async (t) => {
  const { failures, lines, advance } = open()
  failures.note({ plugin: 'alpha', page: 'list', reason: 'no ink' })
  advance(60_000)
  failures.note({ plugin: 'alpha', page: 'list', reason: 'no ink' })
  failures.note({ plugin: 'beta', page: 'list', reason: 'no ink' })
  t.same(failures.list('alpha'), [
    {
      page: 'list',
      reason: 'no ink',
      count: 2,
      since: '2026-03-01T10:00:00.000Z',
      lastAt: '2026-03-01T10:01:00.000Z'
    }
  ])
  t.equal(lines.length, 2)
})

test('a reason is one short line without secrets', async (t) => {
  const { failures } = open()
  const reason = `s3cr3t\n{"level":60}\u001b[31m ${'x'.repeat(5_000)}`
  failures.note({ plugin: 'alpha', page: 'list', reason })
  const [noted] = failures.list('alpha')
  t.match(noted?.reason, /^\[secret\] \{"level":60\} \[31m x+…$/)
  t.ok((noted?.reason.length ?? 0) < 520)
})

test('a hundred different failures are kept, the oldest go first', async (t) => {
  const { failures } = open()
  for (let at = 0; at < 250; at++) {
    failures.note({ plugin: 'alpha', page: 'list', reason: `failure ${at}` })
    failures.note({ plugin: 'alpha', page: 'list', reason: 'always' })
  }
  const kept = failures.list('alpha')
  t.equal(kept.length, 100)
  t.match(kept.at(-1), { reason: 'always', count: 250 })
  t.match(kept[0], { reason: 'failure 151' })
})

test('a failure that is not reported again is gone after an hour', async (t) => {
  const { failures, advance } = open()
  failures.note({ plugin: 'alpha', page: 'list', reason: 'no ink' })
  advance(3_600_000)
  t.equal(failures.list('alpha').length, 1)
  advance(1)
  t.same(failures.list('alpha'), [])
})
