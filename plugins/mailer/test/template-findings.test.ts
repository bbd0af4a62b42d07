// A new template, what checks find in it, and how that is mended, in a browser before the real linter.
import contentLinter from '@keelson/content-linter'
import { browserOptions, closeBrowser, faultsInEveryLook, textsOf } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import tap, { type Test, test } from 'tap'
import { openMail, people, sharedPlatform } from './page-host.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, { people: people(2), plugins: [contentLinter] })

const MJML = `<mjml>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-image src="https://example.com/photo.png" />
        <mj-text>Words enough to be read as the text of a mail.</mj-text>
        <mj-button href="https://bit.ly/acme">Read more</mj-button>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`

async function openTemplate(t: Test, slug: string, query = '') {
  const opened = await openMail(t, platformOf)
  const { platform, page, show } = opened
  await platform.admin('POST', '/templates', { slug, name: slug, kind: 'marketing' })
  await platform.admin('PATCH', `/templates/${slug}/draft`, { mjml: MJML, subject: 'News' })
  await show(`template/${slug}${query}`)
  const findings = page.getByRole('region', { name: 'Findings' })
  await findings.getByText('Add an unsubscribe link. The law and Gmail require one.').waitFor()
  return { ...opened, findings }
}

const publish = (page: Page) => page.getByRole('button', { name: 'Publish v1' })
/** What is selected in the code. */
const marked = (page: Page) => page.evaluate('getSelection().toString()')

test('a new template opens with examples and without a fault', browserOptions, async (t) => {
  const { platform, page, show, faults } = await openMail(t, platformOf)
  await platform.admin('POST', '/templates', { slug: 'new', name: 'New', kind: 'marketing' })
  await show('template/new')
  const gallery = page.getByRole('region', { name: 'Start from an example' })
  await gallery.waitFor()
  await page.getByText('Nothing is written yet.').waitFor()
  t.equal(await page.getByText('Not ready to publish:').count(), 0)
  t.same(
    await textsOf(gallery.locator('b')),
    ['Newsletter', 'Announcement', 'Letter'],
    'three examples'
  )
  t.same(await faultsInEveryLook(page), [])
  await gallery.getByRole('button', { name: /^Letter/ }).click()
  await page.frameLocator('iframe').getByText('Hello Sam,').waitFor()
  await page.getByText('"[Your text]" looks like text that was to be replaced.').waitFor()
  t.equal(await page.getByText('Not ready to publish:').count(), 0, 'no error')
  t.same(faults, [])
})

test('an empty mail begins with the question for its first block', browserOptions, async (t) => {
  const { platform, page, show } = await openMail(t, platformOf)
  await platform.admin('POST', '/templates', { slug: 'bare', name: 'Bare', kind: 'transactional' })
  await show('template/bare')
  await page.getByRole('button', { name: 'Receipt' }).waitFor()
  await page.getByRole('button', { name: 'Add block' }).click()
  await page.getByRole('button', { name: 'Button', exact: true }).click()
  await page.locator('[data-path="0.0.0"]').getByText('[Your button]').waitFor()
  t.pass()
})

test('the key goes through the errors, and the buttons mend them', browserOptions, async (t) => {
  const { page, findings } = await openTemplate(t, 'mended')
  t.equal(await publish(page).getAttribute('aria-disabled'), 'true')
  const strip = page.locator('.locked')
  await strip.getByText(/^Add an unsubscribe link[.].* A link uses the shortener/).waitFor()
  await page.keyboard.press('F8')
  const first = findings.locator('.finding.on')
  await first.getByText('unsubscribe link').waitFor()
  t.ok(await first.evaluate((line) => line.matches(':focus')), 'it has no place in the mail')
  await page.keyboard.press('F8')
  const button = page.locator('[data-path="0.0.2"][aria-current]')
  await button.waitFor()
  await page.locator('.note.error').getByText('A link uses the shortener bit.ly.').waitFor()
  await page.locator('.note.error').getByRole('button', { name: 'Next finding' }).click()
  await first.getByText('unsubscribe link').waitFor()
  await first.getByRole('button', { name: 'Insert link' }).click()
  await page.frameLocator('iframe').getByText('Unsubscribe').waitFor()
  await findings.getByText('Add an unsubscribe link').waitFor({ state: 'hidden' })
  await page.getByText('Not ready to publish:').waitFor()
  await button.click()
  await page
    .getByRole('region', { name: 'Button settings' })
    .getByLabel('Link')
    .fill('https://acme.test/')
  await page.getByText('Not ready to publish:').waitFor({ state: 'hidden' })
  await page.keyboard.press('F8')
  await page.locator('.finding.on').getByText('postal address').waitFor()
  t.equal(await publish(page).getAttribute('aria-disabled'), null)
})

test('a fix is taken back like an edit', browserOptions, async (t) => {
  const { page, findings } = await openTemplate(t, 'undone')
  await findings.getByRole('button', { name: 'Insert address' }).click()
  await page.getByText('Postal address added.').waitFor()
  await findings.getByText('postal address').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await findings.getByText('postal address').waitFor()
  t.pass()
})

test('in code a finding is marked, and explained below its line', browserOptions, async (t) => {
  const { page, findings } = await openTemplate(t, 'code', '?source=mjml')
  await page.getByRole('textbox', { name: 'Source of the mail' }).click()
  await page.keyboard.press('F8')
  await findings.locator('.finding.on').getByText('unsubscribe link').waitFor()
  await page.keyboard.press('F8')
  const note = page.locator('.cm-content .note')
  await note.getByText('A link uses the shortener bit.ly.').waitFor()
  t.equal(await marked(page), 'https://bit.ly/acme')
  await page.keyboard.insertText('https://acme.test/')
  await note.waitFor({ state: 'hidden' })
  await findings.getByRole('button', { name: 'Line 5' }).click()
  await note.getByText('images have no alt text').waitFor()
  t.same(await faultsInEveryLook(page), [])
})
