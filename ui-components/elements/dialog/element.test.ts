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

test(
  'without an opener, or once it is gone, the focus goes to the heading of the page around',
  browserOptions,
  async (t) => {
    const { page } = await openElementPage(t)
    await page.evaluate(async () => {
      const ui = await import('@keelson/ui')
      const { html, nothing } = await import('lit')
      /** A part of the page with a shadow root, as dialogs of some pages are. */
      class Part extends ui.KeelsonElement {
        static readonly tag = 'sample-part'
        static override readonly properties = { mode: {} }
        declare mode: string
        override render() {
          if (this.mode === 'gone') return nothing
          return html`<keelson-dialog heading="New" ?open=${this.mode === 'open'}>
            <input />
          </keelson-dialog>`
        }
      }
      class Sample extends ui.KeelsonPage {
        protected override content() {
          return html`<keelson-page-header heading="Rules"></keelson-page-header>
            <sample-part mode="open"></sample-part>`
        }
      }
      ui.define(ui.KeelsonDialog, ui.KeelsonPageHeader, Part)
      ui.definePage('sample-rules', Sample)
      document.querySelector('main')?.append(document.createElement('sample-rules'))
    })
    const part = page.locator('sample-part')
    const setMode = (next: string) =>
      part.evaluate((one, mode) => one.setAttribute('mode', mode), next)
    await page.getByRole('dialog').waitFor()
    await setMode('closed')
    for (const [mode, hasOpener] of [
      ['closed', false],
      ['gone', false],
      ['closed', true],
      ['gone', true]
    ] as const) {
      await page.evaluate((adds) => {
        ;(document.activeElement as HTMLElement).blur()
        if (!adds) return
        document.body.append(Object.assign(document.createElement('button'), { id: 'opener' }))
        document.getElementById('opener')?.focus()
      }, hasOpener)
      await setMode('open')
      await page.getByRole('dialog').waitFor()
      await page.evaluate(() => document.getElementById('opener')?.remove())
      await setMode(mode)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const heading = page.getByRole('heading', { level: 1, name: 'Rules' })
      const isFocused = await heading.evaluate((element) => element.matches(':focus'))
      t.ok(isFocused, `${mode}, opener: ${hasOpener}`)
    }
  }
)

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

test('a refused field says why below itself until it is changed', browserOptions, async (t) => {
  const sample = await openSample(t, {
    element: 'KeelsonDialog',
    tag: 'keelson-dialog',
    values: { heading: 'New', open: true },
    content: `<form id="new">
        <label>Name <input class="field" name="name" required></label>
        <label>Address <input class="field" name="address" type="url"></label>
      </form>
      <button slot="actions" form="new">Create</button>`
  })
  const { page } = sample
  const create = page.getByRole('button', { name: 'Create' })
  const name = page.getByRole('textbox', { name: 'Name' })
  await page.getByRole('textbox', { name: 'Address' }).fill('nowhere')
  await create.click()
  await page.getByRole('alert').nth(1).waitFor()
  t.match(await page.getByRole('alert').allTextContents(), ['Fill in this field.', /URL/])
  t.ok(await name.evaluate((field) => field === document.activeElement), 'the first has the focus')
  t.equal(await name.getAttribute('aria-invalid'), 'true')
  t.same(await sample.faultsOfAccess(), [])
  await create.click()
  t.equal(await page.getByRole('alert').count(), 2, 'each says it once')
  await name.fill('Sweep')
  t.equal(await page.getByRole('alert').count(), 1)
  t.equal(await name.getAttribute('aria-invalid'), null)
})

test('what was typed into a dialog is not lost without a question', browserOptions, async (t) => {
  const sample = await openSample(t, {
    element: 'KeelsonDialog',
    tag: 'keelson-dialog',
    values: { heading: 'New rule', open: true },
    content: '<form><input id="name"><input id="limit"></form>',
    events: ['keelson-close']
  })
  const { page } = sample
  const questions: string[] = []
  page.on('dialog', (dialog) => {
    questions.push(dialog.type())
    void dialog.dismiss()
  })
  await page.locator('#name').fill('Errors')
  await page.waitForFunction(
    () => dispatchEvent(new Event('beforeunload', { cancelable: true })) === false
  )
  await page.keyboard.press('Escape')
  t.same(questions, ['confirm'], 'without a page the browser asks')
  t.same(await sample.heard(), [])
  await page.locator('form').evaluate((form: HTMLFormElement) => form.reset())
  await page.keyboard.press('Escape')
  t.same(await sample.heard(), ['keelson-close {}'], 'an empty form is closed at once')
})

test('a dialog with one short field is closed at once', browserOptions, async (t) => {
  const sample = await openSample(t, {
    element: 'KeelsonDialog',
    tag: 'keelson-dialog',
    values: { heading: 'Send', open: true },
    content: '<input id="count">',
    events: ['keelson-close']
  })
  await sample.page.locator('#count').fill('189')
  await sample.page.keyboard.press('Escape')
  t.same(await sample.heard(), ['keelson-close {}'])
})
