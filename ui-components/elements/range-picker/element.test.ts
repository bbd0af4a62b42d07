// keelson-range-picker in a browser.
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from '../../test/browser.ts'
import { openSample } from '../../test/element-sample.ts'

tap.teardown(closeBrowser)

const PICKER = {
  element: 'KeelsonRangePicker',
  tag: 'keelson-range-picker',
  values: { value: { range: '7d' } },
  events: ['keelson-range']
}

test(
  'it has no accessibility faults, closed, open, and with a problem',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, PICKER)
    t.same(await sample.faultsOfAccess(), [], 'closed')
    await sample.page.getByRole('button', { name: 'Custom' }).click()
    t.same(await sample.faultsOfAccess(), [], 'open')
    await sample.page.getByLabel('From', { exact: true }).fill('2026-11-02T00:00')
    await sample.page.getByLabel('To', { exact: true }).fill('2026-11-01T00:00')
    await sample.page.getByRole('button', { name: 'Apply' }).click()
    t.same(await sample.faultsOfAccess(), [], 'with a problem')
    t.same(sample.faults, [])
  }
)

test('a named range is one press away and shown as the current one', browserOptions, async (t) => {
  const sample = await openSample(t, PICKER)
  const current = sample.page.locator('[aria-pressed=true]')
  t.equal(await current.textContent(), '7d')
  await sample.page.getByRole('button', { name: '24h' }).click()
  t.same(await sample.heard(), ['keelson-range {"value":{"range":"24h"}}'])
  t.equal(await current.textContent(), '24h')
})

test(
  'two moments of one’s own are sent in UTC and named on the button',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, PICKER)
    await sample.page.getByRole('button', { name: 'Custom' }).click()
    await sample.page.getByLabel('From', { exact: true }).fill('2026-11-01T00:00')
    await sample.page.getByLabel('To', { exact: true }).fill('2026-11-03T12:30')
    await sample.page.keyboard.press('Enter')
    t.same(await sample.heard(), [
      'keelson-range {"value":{"from":"2026-11-01T00:00:00.000Z","to":"2026-11-03T12:30:00.000Z"}}'
    ])
    t.equal(await sample.page.locator('[aria-pressed=true]').textContent(), 'Nov 1 – 3')
  }
)

test('moments in the wrong order are refused with the reason', browserOptions, async (t) => {
  const sample = await openSample(t, PICKER)
  await sample.page.getByRole('button', { name: 'Custom' }).click()
  await sample.page.getByLabel('From', { exact: true }).fill('2026-11-02T00:00')
  await sample.page.getByLabel('To', { exact: true }).fill('2026-11-01T00:00')
  await sample.page.keyboard.press('Enter')
  t.match(await sample.page.getByRole('alert').textContent(), /must be before/)
  t.same(await sample.heard(), [])
})

test(
  'Escape closes and gives the focus back; a press outside closes',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, PICKER)
    const custom = sample.page.getByRole('button', { name: 'Custom' })
    await custom.click()
    await sample.page.keyboard.press('Escape')
    t.equal(await custom.getAttribute('aria-expanded'), 'false')
    t.ok(await custom.evaluate((button) => button.matches(':focus')))
    await custom.click()
    await sample.page.mouse.click(10, 600)
    t.equal(await custom.getAttribute('aria-expanded'), 'false')
  }
)

test('in a narrow window a list has the ranges', browserOptions, async (t) => {
  const sample = await openSample(t, { ...PICKER, width: 380 })
  t.equal(await sample.page.getByRole('button').count(), 0)
  const list = sample.page.getByRole('combobox', { name: 'Time range' })
  t.equal(await list.inputValue(), '7d')
  await list.selectOption('24h')
  t.same(await sample.heard(), ['keelson-range {"value":{"range":"24h"}}'])
  t.equal(await list.inputValue(), '24h')
  t.same(await sample.faultsOfAccess(), [])
})

test(
  'Custom of the list opens the form, and Escape leaves the range as it was',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, { ...PICKER, width: 320 })
    const list = sample.page.getByRole('combobox', { name: 'Time range' })
    await list.selectOption('Custom')
    await sample.page.getByLabel('From', { exact: true }).waitFor()
    const box = await sample.page.getByRole('dialog').boundingBox()
    t.ok(box !== null && box.x >= 0 && box.x + box.width <= 320, 'the form fits into the window')
    await sample.page.keyboard.press('Escape')
    t.equal(await list.inputValue(), '7d')
    t.ok(await list.evaluate((one) => one.matches(':focus')))
    t.same(await sample.heard(), [])
    await list.selectOption('Custom')
    await sample.page.getByLabel('From', { exact: true }).fill('2026-11-01T00:00')
    await sample.page.getByLabel('To', { exact: true }).fill('2026-11-03T12:30')
    await sample.page.keyboard.press('Enter')
    await sample.page.getByRole('dialog').waitFor({ state: 'detached' })
    t.equal(await list.inputValue(), 'Nov 1 – 3')
  }
)

test('a range that the list does not offer is shown in it', browserOptions, async (t) => {
  const values = { value: { range: '365d' } }
  const sample = await openSample(t, { ...PICKER, values, width: 380 })
  t.equal(await sample.page.getByRole('combobox').inputValue(), '365d')
})
