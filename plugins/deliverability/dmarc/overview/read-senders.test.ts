// Who sends for a domain: sums over records that pass and that fail, the suspect ones first.
import { test } from 'tap'
import { inOrder, mergedSums } from './read-senders.ts'

const sum = (sourceIp: string, messages: number, aligned: number, more: object = {}) => ({
  sourceIp,
  messages,
  aligned,
  dkim: aligned,
  spf: 0,
  lastSeen: '2026-11-20',
  ...more
})

test('mails of a source that pass and that fail are one row', async (t) => {
  t.same(
    mergedSums([
      sum('192.0.2.1', 90, 90, { spf: 50 }),
      sum('192.0.2.2', 0, 0),
      sum('192.0.2.1', 10, 0, { spf: 4, lastSeen: '2026-11-24' })
    ]),
    [sum('192.0.2.1', 100, 90, { spf: 54, lastSeen: '2026-11-24' })]
  )
})

test('unknown sources with failing mails come first, then those with most mails', async (t) => {
  const senders = [
    { ...sum('192.0.2.1', 5_000, 4_999), label: 'Own server' },
    { ...sum('192.0.2.2', 20, 20), label: null },
    { ...sum('192.0.2.3', 3, 0), label: null },
    { ...sum('192.0.2.4', 9_000, 10), label: 'Mailing list' }
  ]
  t.same(
    inOrder(senders).map(({ sourceIp }) => sourceIp.at(-1)),
    ['3', '4', '1', '2']
  )
})
