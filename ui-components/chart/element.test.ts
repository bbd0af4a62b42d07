// keelson-chart in a browser: drawn, told as a table, brushed.
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from '../test/browser.ts'
import { openSample, type Sample } from '../test/element-sample.ts'

tap.teardown(closeBrowser)

const START = Date.UTC(2026, 10, 21)
const HOUR = 3_600_000
const times = Array.from({ length: 12 }, (_, at) => START + at * HOUR)
const CHART = {
  element: 'KeelsonChart',
  tag: 'keelson-chart',
  events: ['keelson-brush', 'keelson-view', 'keelson-retry'],
  values: {
    heading: 'Signed up',
    caption: 'Sign-ups rise through the morning.',
    times,
    interval: HOUR,
    series: [
      { id: 'pro', label: 'pro', values: times.map((_, at) => at * 10) },
      { id: 'before', label: 'before', values: times.map(() => 20), ghost: true }
    ]
  }
}

const inked = ({ page }: Sample) =>
  page.locator('canvas').evaluate((element) => {
    const canvas = element as HTMLCanvasElement
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {}
    return (data ?? []).some((value, at) => at % 4 === 3 && value > 0)
  })

test(
  'it has no accessibility faults as chart, table, empty, loading and failed',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, CHART)
    t.same(await sample.faultsOfAccess(), [], 'chart')
    await sample.change({ view: 'table' })
    t.same(await sample.faultsOfAccess(), [], 'table')
    await sample.change({ view: 'chart', loading: true })
    t.same(await sample.faultsOfAccess(), [], 'loading')
    await sample.change({ loading: false, series: [], error: new Error('no') })
    t.same(await sample.faultsOfAccess(), [], 'failed and empty')
    t.same(sample.faults, [])
  }
)

test('forced colours leave each series its own', browserOptions, async (t) => {
  const sample = await openSample(t, CHART)
  const tones = [undefined, undefined, 'good', 'warn', 'bad']
  const series = tones.map((tone, at) => ({
    id: `${at}`,
    label: `line ${at}`,
    values: times.map(() => at + 1),
    ...(tone !== undefined && { tone })
  }))
  await sample.page.emulateMedia({ forcedColors: 'active' })
  await sample.change({ series, kind: 'bars', stacked: true })
  const marks = await sample.page
    .locator('.legend li')
    .evaluateAll((all) => all.map((mark) => getComputedStyle(mark, '::before').backgroundColor))
  t.equal(new Set(marks).size, 5, marks.join())
  const drawn = await sample.page.locator('canvas').evaluate((element) => {
    const canvas = element as HTMLCanvasElement
    const { data = [] } =
      canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {}
    const colors = new Map<string, number>()
    for (let at = 0; at < data.length; at += 4) {
      const color = data.slice(at, at + 4).join()
      colors.set(color, (colors.get(color) ?? 0) + 1)
    }
    return [...colors.values()].filter((count) => count > 500).length
  })
  t.ok(drawn >= 6, `${drawn} colours, with that of the ground`)
})

test(
  'the legend of groups has a line of its own, where each is whole',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, CHART)
    const seriesOf = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        id: `${at}`,
        label: `checkout@1.5.${at}`,
        values: times.map(() => at + 1)
      }))
    const topOf = async (selector: string) =>
      (await sample.page.locator(selector).boundingBox())?.y ?? Number.NaN
    await sample.page.locator('keelson-chart').evaluate((chart) => chart.toggleAttribute('grouped'))
    await sample.change({ series: seriesOf(5) })
    t.ok((await topOf('.legend')) > (await topOf('.link')) + 10, 'below the heading')
    const cut = await sample.page
      .locator('.legend li')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
    t.equal(cut, 0)
    await sample.page.locator('keelson-chart').evaluate((chart) => chart.toggleAttribute('grouped'))
    await sample.change({ series: seriesOf(2) })
    t.ok((await topOf('.legend')) < (await topOf('.link')) + 10, 'others are beside it')
  }
)

test('whole numbers have whole ticks', browserOptions, async (t) => {
  const sample = await openSample(t, CHART)
  const ticksOf = async (values: readonly number[]) => {
    await sample.change({ series: [{ id: 'now', label: 'now', values }] })
    return sample.page.locator('keelson-chart').evaluate(async (chart) => {
      const ticks = new Set<number>()
      Object.assign(chart, { value: (tick: number) => `${ticks.add(tick) && tick}` })
      await (chart as unknown as { updateComplete: Promise<unknown> }).updateComplete
      await new Promise(requestAnimationFrame)
      return [...ticks]
    })
  }
  t.same(await ticksOf(times.map(() => 1)), [0, 1])
  for (const tick of await ticksOf(times.map((_, at) => at % 4))) t.equal(tick % 1, 0, `${tick}`)
  t.ok(
    (await ticksOf(times.map(() => 0.5))).some((tick) => tick % 1 !== 0),
    'others keep theirs'
  )
  t.same(await ticksOf(times.map(() => 36)), [0, 10, 20, 30, 40], 'the last is above the highest')
})

test('the previous period is seen in front of stacked bars', browserOptions, async (t) => {
  const sample = await openSample(t, CHART)
  const bars = { id: 'now', label: 'now', values: times.map(() => 100) }
  const ghost = { id: 'before', label: 'before', values: times.map(() => 50), ghost: true }
  const drawnOf = async (series: readonly object[]) => {
    await sample.change({ series, kind: 'bars', stacked: true })
    return sample.page
      .locator('canvas')
      .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())
  }
  const alone = await drawnOf([bars])
  t.not(await drawnOf([bars, ghost]), alone)
})

test('lines, bars and stacks are drawn', browserOptions, async (t) => {
  const sample = await openSample(t, CHART)
  t.ok(await inked(sample), 'lines')
  await sample.change({ kind: 'bars' })
  t.ok(await inked(sample), 'bars')
  await sample.change({ stacked: true, brush: { from: START, to: START + 2 * HOUR } })
  t.ok(await inked(sample), 'stacked, with a brush')
})

test(
  'the table holds the same figures, and a bucket can be looked at from it',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, CHART)
    await sample.page.getByRole('button', { name: 'Show as table' }).click()
    t.same(await sample.heard(), ['keelson-view {"view":"table"}'])
    t.equal(await sample.page.locator('tbody tr').count(), 12)
    t.same(await sample.page.locator('tbody tr').nth(3).locator('td').allTextContents(), [
      '30',
      '20'
    ])
    await sample.page.locator('tbody button').nth(1).click()
    t.equal(
      (await sample.heard())[1],
      `keelson-brush {"from":${START + HOUR},"to":${START + 2 * HOUR}}`
    )
  }
)

test('dragging over the chart asks for whole buckets', browserOptions, async (t) => {
  const sample = await openSample(t, CHART)
  const box = await sample.page.locator('.u-over').boundingBox()
  const at = (fraction: number) => (box?.x ?? 0) + (box?.width ?? 0) * fraction
  const y = (box?.y ?? 0) + 50
  await sample.page.mouse.move(at(0.2), y)
  await sample.page.mouse.down()
  await sample.page.mouse.move(at(0.4), y, { steps: 4 })
  await sample.page.mouse.up()
  const [event = ''] = await sample.heard()
  const { from, to } = JSON.parse(event.replace('keelson-brush ', ''))
  t.equal((from - START) % HOUR, 0)
  t.equal((to - START) % HOUR, 0)
  t.ok(to > from)
})

test('moving over a bucket tells its figures', browserOptions, async (t) => {
  const sample = await openSample(t, CHART)
  const box = await sample.page.locator('.u-over').boundingBox()
  await sample.page.mouse.move((box?.x ?? 0) + 2, (box?.y ?? 0) + 40)
  const tip = sample.page.locator('.tip')
  await tip.waitFor()
  t.match(await tip.textContent(), /pro\s*0\s*before\s*20/)
})

test('it is drawn again when its room changes, and stays inside it', browserOptions, async (t) => {
  const sample = await openSample(t, CHART)
  const width = () => sample.page.locator('canvas').evaluate((canvas) => canvas.clientWidth)
  const before = await width()
  await sample.page.setViewportSize({ width: 380, height: 700 })
  await sample.page.waitForFunction((old) => {
    const chart = document.querySelector('#sample')?.shadowRoot
    return (chart?.querySelector('canvas')?.clientWidth ?? old) < old
  }, before)
  t.ok((await width()) < 380)
})

test('a theme change draws it in other colours', browserOptions, async (t) => {
  const sample = await openSample(t, CHART)
  const picture = () =>
    sample.page.locator('canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())
  const light = await picture()
  await sample.page.evaluate(() => document.documentElement.setAttribute('data-scheme', 'dark'))
  await sample.page.waitForFunction((before) => {
    const root = document.querySelector('#sample')?.shadowRoot
    return root?.querySelector('canvas')?.toDataURL() !== before
  }, light)
  t.not(await picture(), light)
})

test('a range without figures says so', browserOptions, async (t) => {
  const sample = await openSample(t, { ...CHART, values: { ...CHART.values, series: [] } })
  t.equal(await sample.page.getByText('No data in this range').count(), 1)
  t.equal(await sample.page.locator('canvas').count(), 0)
})
