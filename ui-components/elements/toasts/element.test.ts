// keelson-toasts in a browser, and toast() without a shell.
import tap, { test } from 'tap'
import { accessibilityFaults, browserOptions, closeBrowser } from '../../test/browser.ts'
import { openElementPage } from '../../test/element-page.ts'

tap.teardown(closeBrowser)

test(
  'without a shell a message appears at the edge, and goes when it is dismissed',
  browserOptions,
  async (t) => {
    const { page, faults } = await openElementPage(t)
    await page.evaluate(async () => {
      const { toast } = await import('@keelson/ui')
      toast(document.body, { text: 'Saved', tone: 'good', duration: 0 })
      toast(document.body, { text: 'Then this', tone: 'bad', duration: 0 })
    })
    await page.getByText('Then this').waitFor()
    t.same(await page.locator('keelson-toasts li span').allTextContents(), ['Saved', 'Then this'])
    t.equal(await page.locator('keelson-toasts').count(), 1)
    t.same(await accessibilityFaults(page), [])
    await page.getByRole('button', { name: 'Dismiss' }).first().click()
    await page.getByText('Saved').waitFor({ state: 'detached' })
    t.same(await page.locator('keelson-toasts li span').allTextContents(), ['Then this'])
    t.same(faults, [])
  }
)

test(
  'a message goes by itself, and its action runs once and takes it away',
  browserOptions,
  async (t) => {
    const { page } = await openElementPage(t)
    await page.evaluate(async () => {
      const { toast } = await import('@keelson/ui')
      toast(document.body, { text: 'Short', duration: 1 })
      const run = () => document.body.setAttribute('data-ran', 'yes')
      toast(document.body, { text: 'Undo?', duration: 0, action: { label: 'Undo', run } })
    })
    await page.getByText('Short').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undo?').waitFor({ state: 'detached' })
    t.equal(await page.locator('body').getAttribute('data-ran'), 'yes')
    t.equal(await page.locator('keelson-toasts li').count(), 0)
  }
)

test('no more than four stand at once', browserOptions, async (t) => {
  const { page } = await openElementPage(t)
  await page.evaluate(async () => {
    const { toast } = await import('@keelson/ui')
    for (const text of ['1', '2', '3', '4', '5']) toast(document.body, { text, duration: 0 })
  })
  await page.getByText('5').waitFor()
  t.same(await page.locator('keelson-toasts li span').allTextContents(), ['2', '3', '4', '5'])
})
