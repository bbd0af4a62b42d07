// keelson-views in a browser: saving, renaming, sharing, deleting, following.
import tap, { test } from 'tap'
import { accessibilityFaults, browserOptions, closeBrowser } from '../test/browser.ts'
import { openElementPage } from '../test/element-page.ts'

tap.teardown(closeBrowser)

const VIEWS = [
  { id: 'a', name: 'Slow pages', href: '#slow', note: 'Events', shared: false, isOwned: true },
  { id: 'b', name: 'Ours', href: '#ours', note: 'Events', shared: true, isHere: true }
]

async function open(t: Parameters<typeof openElementPage>[0], values: object = {}) {
  const { page, faults } = await openElementPage(t)
  await page.evaluate(
    async (given) => {
      const { loadViews } = await import('@keelson/ui')
      await loadViews()
      const views = document.createElement('keelson-views') as HTMLElement & {
        updateComplete: Promise<unknown>
      }
      const heard: string[] = []
      Object.assign(window, { heard })
      for (const act of ['view-save', 'view-change', 'view-delete', 'close']) {
        views.addEventListener(`keelson-${act}`, (event) => {
          heard.push(`${act} ${JSON.stringify((event as CustomEvent).detail)}`)
        })
      }
      Object.assign(views, given)
      document.querySelector('main')?.append(views)
      await views.updateComplete
    },
    { open: true, views: VIEWS, ...values }
  )
  const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
  return { page, faults, heard }
}

test('it saves under a name, for oneself or for everyone', browserOptions, async (t) => {
  const { page, faults, heard } = await open(t)
  await page.waitForFunction(() =>
    document.querySelector('keelson-views')?.shadowRoot?.activeElement?.matches('#name')
  )
  await page.keyboard.type('  Mine ')
  await page.keyboard.press('Enter')
  await page.getByPlaceholder('Name of the view').fill('All')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Save view' }).click()
  t.same(await heard(), [
    'view-save {"name":"Mine","shared":false}',
    'view-save {"name":"All","shared":true}'
  ])
  t.same(await accessibilityFaults(page), [])
  t.same(faults, [])
})

test(
  'a view is renamed, shared, saved over and deleted by its buttons',
  browserOptions,
  async (t) => {
    const { page, heard } = await open(t)
    await page.getByRole('button', { name: 'Rename: Slow pages' }).click()
    await page.waitForFunction(() =>
      document.querySelector('keelson-views')?.shadowRoot?.activeElement?.matches('#rename')
    )
    await page.keyboard.type('Slow')
    t.same(await accessibilityFaults(page), [])
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Share: Slow pages' }).waitFor({ state: 'detached' })
    await page.evaluate((views) => {
      Object.assign(document.querySelector('keelson-views') ?? {}, { views })
    }, VIEWS)
    await page.getByRole('button', { name: 'Share: Slow pages' }).click()
    await page.getByRole('button', { name: 'Update: Ours' }).click()
    await page.getByRole('button', { name: 'Delete: Ours' }).click()
    t.equal(await page.getByRole('button', { name: /Make private/ }).count(), 0)
    t.same(await heard(), [
      'view-change {"id":"a","name":"Slow"}',
      'view-change {"id":"a","shared":true}',
      'view-change {"id":"b","over":true}',
      'view-delete {"id":"b","name":"Ours"}'
    ])
  }
)

test('a followed view closes the dialog, as Escape does', browserOptions, async (t) => {
  const { page, heard } = await open(t, {
    groups: [{ heading: 'Given', views: [{ name: 'Start', href: '#start', note: '' }] }],
    problem: 'forbidden'
  })
  t.equal(await page.getByRole('alert').textContent(), 'forbidden')
  await page.getByText('Given (1)').click()
  await page.getByRole('link', { name: 'Start' }).click()
  await page.keyboard.press('Escape')
  t.same(await heard(), ['close {}', 'close {}'])
})

test('without anybody to own it a view is for everyone', browserOptions, async (t) => {
  const { page, heard } = await open(t, { nameless: true, views: [] })
  await page.getByText('No saved views yet.').waitFor()
  t.ok(await page.getByRole('checkbox').isDisabled())
  await page.getByPlaceholder('Name of the view').fill('x')
  await page.keyboard.press('Enter')
  t.same(await heard(), ['view-save {"name":"x","shared":true}'])
})
