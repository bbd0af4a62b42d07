// Which targets are due, and what an answer makes of a row.
import { pauseAfter } from '@keelson/sdk'
import fc from 'fast-check'
import { test } from 'tap'
import { judgeCheck } from '../checks/judge-check.ts'
import { type PlanInput, planChecks } from '../checks/plan-checks.ts'
import type { DnsAnswer } from '../lookups/dns-answer.ts'
import type { CheckRow, ListRow } from '../storage/rows.ts'

const HOUR_MS = 3_600_000
const NOW = new Date('2026-11-20T08:00:00Z')
const LIST = { host: 'bl.example', label: 'List', kind: 'ip' } as const
const IPS = ['192.0.2.1', '192.0.2.2']

const base: PlanInput = {
  lists: [LIST, { ...LIST, host: 'domains.example', kind: 'domain' }],
  domains: [],
  ips: IPS,
  checks: new Map(),
  states: new Map(),
  intervalMs: 24 * HOUR_MS,
  now: NOW,
  isForced: false
}

const answers: fc.Arbitrary<DnsAnswer> = fc.oneof(
  fc.constant({ kind: 'absent' } as const),
  fc.constant({ kind: 'failed', code: 'ETIMEOUT' } as const),
  fc
    .array(fc.constantFrom('127.0.0.2', '127.255.255.254', '203.0.113.1'), { minLength: 1 })
    .map((addresses) => ({ kind: 'answers', addresses }) as const)
)

/** The rows of one target after these answers, one in each hour. */
function rowsAfter(history: readonly DnsAnswer[]): readonly CheckRow[] {
  const rows: CheckRow[] = []
  for (const [hour, answer] of history.entries()) {
    const now = new Date(NOW.getTime() + hour * HOUR_MS)
    const target = '192.0.2.1'
    rows.push(judgeCheck({ list: LIST, target, answer, earlier: rows.at(-1), now }).row)
  }
  return rows
}

test('what was never asked is due; a list without a target is left out', async (t) => {
  t.same(planChecks(base), [{ list: LIST, targets: IPS, due: IPS }])
})

test('a target is due exactly when the pause after its last question is over', async (t) => {
  fc.assert(
    fc.property(fc.array(answers, { minLength: 1 }), fc.nat(48 * 60), (history, minutes) => {
      const row = rowsAfter(history).at(-1) as CheckRow
      const now = new Date(row.attemptedAt.getTime() + minutes * 60_000)
      const checks = new Map([[row._id, row]])
      const [plan] = planChecks({ ...base, checks, now })
      const [forced] = planChecks({ ...base, checks, now, isForced: true })
      const isDue = minutes * 60_000 >= pauseAfter(row.failures, base.intervalMs)
      return plan?.due.includes(row.target) === isDue && forced?.due.length === IPS.length
    })
  )
  t.pass()
})

test('a list that has ended is tested again after the interval, and nothing is due before', async (t) => {
  const state: ListRow = {
    _id: LIST.host,
    state: 'dead',
    reason: 'ended',
    hasIpv6: false,
    testedAt: NOW,
    failures: 0
  }
  const due = (hours: number) => {
    const now = new Date(NOW.getTime() + hours * HOUR_MS)
    return planChecks({ ...base, states: new Map([[LIST.host, state]]), now })[0]?.due.length
  }
  t.equal(due(23), 0)
  t.equal(due(24), 2)
})

test('a failure and a refusal never end or begin a listing', async (t) => {
  fc.assert(
    fc.property(fc.array(answers, { minLength: 2 }), (history) => {
      const rows = rowsAfter(history)
      return rows.every((row, index) => {
        const earlier = rows[index - 1]
        const answer = history[index] as DnsAnswer
        const says = answer.kind === 'absent' ? 'clean' : listedBy(answer) ? 'listed' : null
        if (says !== null) return row.known === says && row.result === says && row.failures === 0
        return row.known === (earlier?.known ?? null)
      })
    })
  )
  t.pass()
})

const listedBy = (answer: DnsAnswer): boolean =>
  answer.kind === 'answers' && answer.addresses.includes('127.0.0.2')
