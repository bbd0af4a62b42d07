// Test mails from the pages, before the real server: they go to the person at the page.
import { browserOptions, closeBrowser, holdAnswers } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { openMail, people, sharedPlatform } from './page-host.ts'
import { publish } from './platform-mailer.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, { people: people(1) })

const PLACES = [
  {
    place: 'a template',
    name: 'letter',
    path: 'template/letter?show=test',
    button: 'Send test mail',
    sent: 'Test mail sent to a@acme.test.'
  },
  {
    place: 'a broadcast',
    name: 'news',
    path: 'broadcast/news?show=preview',
    button: 'Send test',
    sent: 'Test sent to a@acme.test.'
  }
]

for (const { place, name, path, button, sent } of PLACES) {
  test(`a test mail of ${place} is sent once the address is known`, browserOptions, async (t) => {
    const { page, show, platform, faults } = await openMail(t, platformOf)
    await publish(platform, { slug: name, kind: 'marketing' })
    const broadcast = { slug: name, name, templateSlug: name, segmentDefinition: { filters: [] } }
    t.match(await platform.admin('POST', '/broadcasts', broadcast), { status: 201 })
    const answer = await holdAnswers(page, '**/admin/mailer/api/me')
    await show(path)
    const send = page.getByRole('button', { name: button, exact: true }).last()
    const field = page.locator('input[name=to]')
    await field.waitFor()
    t.ok(await send.isDisabled())
    t.notOk(await field.isEditable())
    answer()
    await send.click()
    await page.getByText(sent).waitFor()
    t.same(faults, [])
  })
}
