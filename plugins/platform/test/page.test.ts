// The Plugins page in a browser, before the real plugin.
import {
  browserOptions,
  closeBrowser,
  faultsInEveryLook,
  openPage,
  textsOf
} from '@keelson/ui/testing'
import tap, { type Test, test } from 'tap'
import { openHost } from './open-host.ts'

tap.teardown(closeBrowser)

async function open(t: Test, query = '', options: Parameters<typeof openPage>[1] = {}) {
  const host = await openHost(t)
  const url = await host.listen()
  const opened = await openPage(t, options)
  const show = (more: string) => opened.page.goto(`${url}/platform/plugins${more}`)
  await show(query)
  return { ...host, ...opened, show }
}

test(
  'a plugin is disabled after a question, and the page says when it applies',
  browserOptions,
  async (t) => {
    const { page, faults, call } = await open(t)
    const row = page.locator('tr[data-id="reader"]')
    await row.waitFor()
    t.equal(await page.locator('h1').textContent(), 'Plugins')
    await row.getByRole('button', { name: 'Disable READER' }).press('Enter')
    const question = page.locator('keelson-dialog[open]')
    t.match(await question.textContent(), /its data stays.*applies at its next start/s)
    await question.getByRole('button', { name: 'Disable' }).press('Enter')
    await page.getByText('at next start', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Enable READER' }).waitFor()
    t.match(await page.locator('[role=status].news').textContent(), /next start/)
    t.match((await call('GET', '/audit')).json.items, [{ plugin: 'reader', action: 'disable' }])
    t.equal(await page.getByRole('button', { name: 'Disable Platform' }).count(), 0)
    t.same(faults, [])
  }
)

test('what is refused is said, and nothing changes', browserOptions, async (t) => {
  const { page } = await open(t)
  await page.getByRole('button', { name: 'Disable WORDS' }).click()
  const question = page.locator('keelson-dialog[open]')
  await question.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('without it reader would stop').waitFor()
  t.equal(await page.locator('.news').count(), 0)
})

test(
  'the panel says what a plugin asks for, and its settings are a form',
  browserOptions,
  async (t) => {
    const { page, faults, call } = await open(t, '?plugin=words')
    const panel = page.locator('.panel-part')
    await page.getByText('words.example').waitFor()
    t.match((await textsOf(panel)).join(' '), /What it asks for.*Needed by/s)
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    const size = page.getByLabel('size')
    await size.fill('7')
    t.equal(await page.getByLabel('token').inputValue(), '')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Saved.').waitFor()
    t.match((await call('GET', '/audit')).json.items, [{ plugin: 'words', fields: ['size'] }])
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    t.equal(await size.inputValue(), '7')
    await page.getByLabel('token').fill('MONGODB_URI')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.locator('small.problem').waitFor()
    t.match(await page.locator('small.problem').textContent(), /KEELSON_SECRET_/)
    await page.getByLabel('token').fill('')
    await page.getByLabel('Back to the config file').check()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.locator('#form').waitFor({ state: 'detached' })
    t.match((await call('GET', '/plugins/words/settings')).json.fields[0], { value: 3 })
    t.match(faults, [/422/], 'the console names the refused request alone')
  }
)

test('the page is whole in every look, in German, and narrow', browserOptions, async (t) => {
  const { page, show } = await open(t, '', { locale: 'de-DE' })
  await page.getByText('Installierte Plugins').waitFor()
  for (const query of ['', '?plugin=words', '?plugin=words&dialog=settings']) {
    await show(query)
    const part = query.includes('dialog')
      ? '#form .field'
      : query === ''
        ? 'tr[data-id]'
        : '.panel-part dl'
    await page.locator(part).first().waitFor()
    t.same(await faultsInEveryLook(page), [], query)
  }
})
