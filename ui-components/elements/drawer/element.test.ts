// keelson-drawer in a browser: beside the list and over it.
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from '../../test/browser.ts'
import { openSample, type Sample } from '../../test/element-sample.ts'

tap.teardown(closeBrowser)

const drawer = (width: number) => ({
  element: 'KeelsonDrawer',
  tag: 'keelson-drawer',
  width,
  values: { label: 'Record' },
  events: ['keelson-close'],
  content:
    '<div slot="list"><button id="row">Row</button></div><h2 slot="header">Head</h2><a href="/x">Inside</a>'
})

const dialogOf = ({ page }: Sample) => page.getByRole('dialog', { name: 'Record' })

test('it has no accessibility faults, closed, beside and over', browserOptions, async (t) => {
  const wide = await openSample(t, drawer(1280))
  t.same(await wide.faultsOfAccess(), [], 'closed')
  await wide.change({ open: true })
  t.same(await wide.faultsOfAccess(), [], 'beside')
  const narrow = await openSample(t, drawer(380))
  await narrow.change({ open: true })
  t.same(await narrow.faultsOfAccess(), [], 'over')
  t.same([...wide.faults, ...narrow.faults], [])
})

test(
  'with room it stands beside the list and the focus stays in the list',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, drawer(1280))
    await sample.page.locator('#row').focus()
    await sample.change({ open: true })
    await dialogOf(sample).waitFor()
    t.equal(await sample.page.evaluate(() => document.activeElement?.id), 'row')
    const list = await sample.page.locator('#row').boundingBox()
    const panel = await dialogOf(sample).boundingBox()
    t.ok((panel?.x ?? 0) > (list?.x ?? 0) + (list?.width ?? 0))
  }
)

test(
  'without room it lies over the list, takes the focus and gives it back',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, drawer(380))
    await sample.page.locator('#row').focus()
    await sample.change({ open: true })
    t.ok(await dialogOf(sample).evaluate((dialog) => dialog.matches(':modal')))
    t.not(await sample.page.evaluate(() => document.activeElement?.id), 'row')
    await sample.page.keyboard.press('Escape')
    t.same(await sample.heard(), ['keelson-close {}'])
    await sample.change({ open: false })
    t.equal(await sample.page.evaluate(() => document.activeElement?.id), 'row')
  }
)

test('Escape from the list and the close button ask to close', browserOptions, async (t) => {
  const sample = await openSample(t, drawer(1280))
  await sample.page.keyboard.press('Escape')
  t.same(await sample.heard(), [], 'closed: nothing to close')
  await sample.change({ open: true })
  await sample.page.locator('#row').focus()
  await sample.page.keyboard.press('Escape')
  await sample.page.getByRole('button', { name: 'Close' }).click()
  t.same(await sample.heard(), ['keelson-close {}', 'keelson-close {}'])
})

test(
  'when its panel had the focus, closing gives it back to where it was',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, drawer(1280))
    await sample.page.locator('#row').focus()
    await sample.change({ open: true })
    await sample.page.getByRole('link', { name: 'Inside' }).focus()
    await sample.change({ open: false })
    t.equal(await sample.page.evaluate(() => document.activeElement?.id), 'row')
  }
)

test('it moves from beside to over as the room goes', browserOptions, async (t) => {
  const sample = await openSample(t, drawer(1280))
  await sample.change({ open: true })
  await sample.page.setViewportSize({ width: 380, height: 700 })
  await sample.page.locator('dialog.over').waitFor()
  t.ok(await dialogOf(sample).evaluate((dialog) => dialog.matches(':modal')))
})

test('the wheel over a short panel beside the list scrolls the page', browserOptions, async (t) => {
  const sample = await openSample(t, drawer(1280))
  await sample.change({ open: true })
  await dialogOf(sample).waitFor()
  await sample.page.evaluate(() => {
    document.body.style.minBlockSize = '3000px'
  })
  await dialogOf(sample).hover()
  await sample.page.mouse.wheel(0, 400)
  await sample.page.waitForFunction(() => scrollY > 0)
  t.pass('it does')
})

test('a panel below the middle of the screen is brought to its top', browserOptions, async (t) => {
  const sample = await openSample(t, drawer(1280))
  await sample.page.evaluate(() => {
    const main = document.querySelector('main') as HTMLElement
    main.style.paddingBlock = '500px 1500px'
  })
  await sample.change({ open: true })
  const top = (await dialogOf(sample).boundingBox())?.y ?? 0
  t.equal(Math.round(top), 62, 'below the header of a page')
  const row = await sample.page.locator('#row').boundingBox()
  t.ok((row?.y ?? 0) >= top, 'and the row that opened it is on the screen')
})

test('a panel in the upper half of the screen moves nothing', browserOptions, async (t) => {
  const sample = await openSample(t, drawer(1280))
  await sample.page.evaluate(() => {
    const main = document.querySelector('main') as HTMLElement
    main.style.paddingBlock = '100px 1500px'
  })
  await sample.change({ open: true })
  await dialogOf(sample).waitFor()
  t.equal(await sample.page.evaluate(() => scrollY), 0)
})
