// keelson-dialog in a browser, and confirm() without a shell.
import tap, { test } from 'tap'
import { accessibilityFaults, browserOptions, closeBrowser } from '../../test/browser.ts'
import { openElementPage } from '../../test/element-page.ts'
import { openSample } from '../../test/element-sample.ts'

tap.teardown(closeBrowser)

test(
  'it is modal, named by its heading, and asks to close on Escape and by its button',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, {
      element: 'KeelsonDialog',
      tag: 'keelson-dialog',
      values: { heading: 'Keys', open: true },
      content: '<p>Words</p><button slot="actions">Fine</button>',
      events: ['keelson-close']
    })
    const dialog = sample.page.getByRole('dialog', { name: 'Keys' })
    t.ok(await dialog.evaluate((element) => element.matches(':modal')))
    t.same(await sample.faultsOfAccess(), [])
    await sample.page.keyboard.press('Escape')
    await sample.page.getByRole('button', { name: 'Close' }).click()
    t.same(await sample.heard(), ['keelson-close {}', 'keelson-close {}'])
    await sample.change({ open: false })
    t.equal(await dialog.count(), 0)
    t.same(sample.faults, [])
  }
)

test('taken away while it is open it gives the focus back', browserOptions, async (t) => {
  const { page } = await openElementPage(t, { body: '<button id="opener">Open</button>' })
  await page.locator('#opener').focus()
  await page.evaluate(async () => {
    const { confirm } = await import('@keelson/ui')
    void confirm(document.body, { heading: 'Sure?', action: 'Yes' })
  })
  await page.getByRole('dialog').waitFor()
  t.not(await page.evaluate(() => document.activeElement?.id), 'opener')
  await page.keyboard.press('Escape')
  await page.locator('keelson-confirm').waitFor({ state: 'detached' })
  t.equal(await page.evaluate(() => document.activeElement?.id), 'opener')
})

async function ask(t: Parameters<typeof openElementPage>[0]) {
  const { page } = await openElementPage(t)
  await page.evaluate(async () => {
    const { confirm } = await import('@keelson/ui')
    const options = {
      heading: 'Revoke?',
      text: 'At once.',
      action: 'Revoke key',
      tone: 'bad' as const
    }
    void confirm(document.body, options).then((answer) => {
      document.body.setAttribute('data-answer', String(answer))
    })
  })
  return { page, answer: () => page.locator('body').getAttribute('data-answer') }
}

test('a question is answered with yes by its action', browserOptions, async (t) => {
  const { page, answer } = await ask(t)
  t.same(await accessibilityFaults(page), [])
  await page.getByRole('button', { name: 'Revoke key' }).click()
  t.equal(await answer(), 'true')
  t.equal(await page.getByRole('dialog').count(), 0)
})

test('a question is answered with no by Escape and by Cancel', browserOptions, async (t) => {
  const first = await ask(t)
  await first.page.getByRole('dialog').waitFor()
  await first.page.keyboard.press('Escape')
  t.equal(await first.answer(), 'false')
  const second = await ask(t)
  await second.page.getByRole('button', { name: 'Cancel' }).click()
  t.equal(await second.answer(), 'false')
})
