// A declared list page: the address is its state, and loading, empty and failed reads are its own.
import type { KeelsonListPage } from '@keelson/ui'
import type { Page } from 'playwright-core'
import tap, { test } from 'tap'
import { browserOptions, closeBrowser, textsOf } from '../test/browser.ts'
import { openElementPage } from '../test/element-page.ts'

tap.teardown(closeBrowser)

/** A page of people; what its API does is set by `window.people`, and its reads are counted there. */
async function openPeople(t: Parameters<typeof openElementPage>[0]) {
  const opened = await openElementPage(t)
  await opened.page.evaluate(async () => {
    const { definePage, KeelsonDialog, KeelsonDrawer, listPage, registerCatalog, searchField } =
      await import('@keelson/ui')
    const { html } = await import('lit')
    interface Person {
      readonly id: string
      readonly name: string
    }
    const api = { rows: ['Ada', 'Grace', 'Mary'], reads: [] as string[], fails: false }
    Object.assign(window, { people: api })
    registerCatalog('en', {
      'people.title': 'People',
      'people.none': 'No people',
      'people.noneFound': 'Not found',
      'people.clear': 'Show all',
      'people.label': 'Person',
      'people.missing': 'Person not found',
      'people.new': 'New person'
    })
    const People = listPage<Person>({
      uses: [KeelsonDrawer, KeelsonDialog],
      open: (page) => ({
        texts: 'people',
        source: {
          words: (error) => (error as Error).message,
          async read({ name }) {
            api.reads.push(name ?? '*')
            if (api.fails) throw new Error('The database sleeps.')
            const all = api.rows.map((one) => ({ id: one.toLowerCase(), name: one }))
            return all.filter((person) => name === undefined || person.name === name)
          }
        },
        filters: { params: ['name'] },
        header: () => searchField(page, 'name', 'Name'),
        panel: {
          param: 'person',
          view: ({ name }) => html`<h2 slot="header">${name} is open</h2>`
        },
        dialogs: {
          new: () => ({
            heading: 'New person',
            action: 'Add',
            body: html`<input name="name" aria-label="New name" />`,
            async send(form) {
              const name = String(new FormData(form).get('name'))
              if (name === '') throw new Error('A name is missing.')
              api.rows.push(name)
              await page.list.reload()
              return { person: name.toLowerCase() }
            }
          })
        },
        columns: () => [{ id: 'name', header: 'Name', cell: ({ name }) => name }]
      })
    })
    definePage('sample-people', People)
    document.querySelector('main')?.append(document.createElement('sample-people'))
  })
  return opened
}

const rows = (page: Page) => textsOf(page.locator('tr[data-id]'))
/** The address of the page, which an embedded one keeps to itself. */
const queryOf = (page: Page) =>
  page
    .locator('sample-people')
    .evaluate((one) => (one as KeelsonListPage<unknown>).params.toString())
const go = (page: Page, changes: Readonly<Record<string, string>>) =>
  page
    .locator('sample-people')
    .evaluate((one, to) => (one as KeelsonListPage<unknown>).go(to), changes)
const reads = (page: Page) =>
  page.evaluate(() => (window as unknown as { people: { reads: string[] } }).people.reads)
const setFails = (page: Page, fails: boolean) =>
  page.evaluate((value) => {
    Object.assign((window as unknown as { people: object }).people, { fails: value })
  }, fails)

test('what narrows the list is in the address, and a link clears it', browserOptions, async (t) => {
  const { page } = await openPeople(t)
  await page.locator('tr[data-id=ada]').waitFor()
  await go(page, { name: 'Grace' })
  await page.locator('tr[data-id=ada]').waitFor({ state: 'detached' })
  t.same(await rows(page), ['Grace'])
  await page.getByRole('searchbox', { name: 'Name' }).fill('Alan')
  await page.keyboard.press('Enter')
  await page.getByText('Not found').waitFor()
  t.equal(await queryOf(page), 'name=Alan')
  await page.getByRole('link', { name: 'Show all' }).click()
  await page.locator('tr[data-id=mary]').waitFor()
  t.equal(await queryOf(page), '')
  t.same(await reads(page), ['*', 'Grace', 'Alan', '*'])
})

test(
  'an open row is in the address, and gives the focus back when it closes',
  browserOptions,
  async (t) => {
    const { page } = await openPeople(t)
    await page.locator('tr[data-id=grace]').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Grace is open').waitFor()
    t.equal(await queryOf(page), 'person=grace')
    await page.keyboard.press('Escape')
    await page.getByText('Grace is open').waitFor({ state: 'detached' })
    const focused = () => page.locator('tr[data-id=grace]').evaluate((row) => row.matches(':focus'))
    t.equal(await focused(), true)
    await go(page, { person: 'alan' })
    await page.getByText('Person not found').waitFor()
  }
)

test('a read that failed says why, and is tried again', browserOptions, async (t) => {
  const { page } = await openPeople(t)
  await page.locator('tr[data-id=ada]').waitFor()
  await setFails(page, true)
  await page.keyboard.press('r')
  await page.getByRole('alert').getByText('The database sleeps.').waitFor()
  await setFails(page, false)
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  t.same(await rows(page), ['Ada', 'Grace', 'Mary'])
})

test('a refused form stays open and says why; a sent one closes', browserOptions, async (t) => {
  const { page } = await openPeople(t)
  await page.locator('tr[data-id=ada]').waitFor()
  await page.keyboard.press('n')
  const field = page.getByRole('textbox', { name: 'New name' })
  await field.waitFor()
  t.equal(await queryOf(page), 'dialog=new')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('alert').getByText('A name is missing.').waitFor()
  await field.fill('Alan')
  await page.keyboard.press('Enter')
  await page.getByText('Alan is open').waitFor()
  t.equal(await queryOf(page), 'person=alan')
  t.same(await rows(page), ['Ada', 'Grace', 'Mary', 'Alan'])
})
