// What one reporter may add to the figures of a domain.
import fc from 'fast-check'
import { test } from 'tap'
import { boundReporters } from '../overview/bound-reporters.ts'
import { openDmarc } from './dmarc-host.ts'
import { reportXml } from './report-xml.ts'

const countedOf = (...messages: readonly number[]) =>
  boundReporters(messages.map((each, n) => ({ orgName: `${n}`, messages: each }))).map(
    ({ counted }) => counted
  )

test('reporters of real sizes count whole', async (t) => {
  t.same(countedOf(50_000, 3), [50_000, 3])
  t.same(countedOf(2_000_000, 1_000_000, 400_000), [2_000_000, 1_000_000, 400_000])
  t.same(countedOf(1_000_000), [1_000_000], 'the only one')
  t.same(countedOf(), [])
})

test('a reporter far above the others counts up to a bound', async (t) => {
  t.same(countedOf(1_000_000_000_000, 5), [100_000, 5])
  t.same(countedOf(1e12, 1e12, 5), [900_045, 100_000, 5], 'two do not lift each other without end')
  t.same(countedOf(1e12), [1e9])
})

test('each counts at most what it says', async (t) => {
  const sizes = fc.array(fc.nat(1e9), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(sizes, (messages) =>
      boundReporters(messages.map((each, n) => ({ orgName: `${n}`, messages: each }))).every(
        ({ counted, messages: all }) => counted >= 0 && counted <= all
      )
    )
  )
  t.pass()
})

test('a forged report of a trillion failures is bounded in all figures, and its share is shown', async (t) => {
  const { inbound, domain, overview } = await openDmarc(t)
  const send = (id: string, org: string, record: object) => {
    const content = reportXml({ id, org, records: [{ ip: '192.0.2.1', ...record }] })
    return inbound([{ field: 'f', filename: 'r.xml', content }])
  }
  await send('a', 'genuine.example', { count: 50 })
  t.match(await domain(), { totalMessages: 50, alignmentRate: 1 })
  await send('b', 'evil.example', { count: 1_000_000_000_000, dkim: 'fail', spf: 'fail' })
  const figures = await domain()
  t.match(figures, {
    totalMessages: 100_050,
    passCount: 50,
    failCount: 100_000,
    reporters: [
      { orgName: 'evil.example', messages: 1_000_000_000_000, counted: 100_000, share: /^0\.999/ },
      { orgName: 'genuine.example', messages: 50, counted: 50 }
    ]
  })
  const { sources } = await overview()
  t.match(sources, [
    {
      sourceIp: '192.0.2.1',
      totalMessages: 100_000,
      reporters: [{ orgName: 'evil.example', messages: 1_000_000_000_000, counted: 100_000 }]
    }
  ])
  const days: readonly { messages: number }[] = figures.series
  t.ok(days.every(({ messages }) => messages <= 100_050))
})
