// keelson-stat in a browser.
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from '../../test/browser.ts'
import { openSample } from '../../test/element-sample.ts'

tap.teardown(closeBrowser)

const STAT = {
  element: 'KeelsonStat',
  tag: 'keelson-stat',
  values: {
    label: 'Signed up',
    value: '1,284',
    change: 0.124,
    against: 'against 1,142',
    points: [1, 3, 2],
    source: 'rollup'
  }
}

test('a figure that could not be read is a dash with the reason', browserOptions, async (t) => {
  const sample = await openSample(t, STAT)
  await sample.change({ error: new Error('The disk is full.') })
  t.equal(await sample.page.locator('#sample .value').textContent(), '–')
  t.equal((await sample.page.locator('#sample .change').textContent())?.trim(), 'The disk is full.')
  t.equal(await sample.page.locator('#sample svg').count(), 0)
  t.same(await sample.faultsOfAccess(), [])
})

test(
  'it has no accessibility faults, filled, loading, as a link, better and worse',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, STAT)
    t.same(await sample.faultsOfAccess(), [], 'filled')
    await sample.change({ change: -0.5, href: '/somewhere', tone: 'bad' })
    t.same(await sample.faultsOfAccess(), [], 'worse, a link')
    await sample.change({ loading: true })
    t.same(await sample.faultsOfAccess(), [], 'loading')
    t.same(sample.faults, [])
  }
)

test(
  'a change says its direction in words, and whether that is good',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, STAT)
    const change = sample.page.locator('.change > span').first()
    t.match((await change.textContent())?.replace(/\s+/g, ' '), /▲ up 12\.4%/)
    t.equal(await change.getAttribute('class'), 'better')
    await sample.change({ good: 'down' })
    t.equal(await change.getAttribute('class'), 'worse')
    await sample.change({ good: 'none' })
    t.equal(await change.getAttribute('class'), 'same')
    await sample.change({ change: 0, changeText: '0.2 points', good: 'up' })
    t.match((await change.textContent())?.replace(/\s+/g, ' '), /± no change 0\.2 points/)
  }
)

test('of few there is no percentage but both counts, once', browserOptions, async (t) => {
  const sample = await openSample(t, STAT)
  const text = async () =>
    (await sample.page.locator('#sample .change').textContent())?.replace(/\s+/g, ' ').trim()
  await sample.change({ change: (122 - 7) / 7, base: 7, against: 'previously 7' })
  t.equal(await text(), '▲ up 7 → 122')
  await sample.change({ change: 0.5, base: 100, against: 'previously 100' })
  t.equal(await text(), '▲ up 50% previously 100')
})

test('figures that load keep the size of the tile', browserOptions, async (t) => {
  const sample = await openSample(t, STAT)
  const height = () => sample.page.locator('#sample').evaluate((tile) => tile.clientHeight)
  const before = await height()
  await sample.change({ loading: true })
  t.equal(await height(), before)
})

test('a figure says that it is partial or estimated', browserOptions, async (t) => {
  const sample = await openSample(t, {
    element: 'KeelsonStat',
    tag: 'keelson-stat',
    values: { label: 'Spans', value: '100,000', source: 'raw', caveat: 'truncated' }
  })
  const source = sample.page.getByText('raw, truncated')
  t.match(await source.getAttribute('title'), /Only part of the rows was counted/)
  await sample.change({ caveat: 'sampled' })
  await sample.page.getByText('raw, sampled').waitFor()
  t.same(await sample.faultsOfAccess(), [])
})
