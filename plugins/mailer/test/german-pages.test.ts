// Mail pages in German, in a browser.
import { accessibilityFaults, browserOptions, closeBrowser } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { openMail, people, sharedPlatform } from './page-host.ts'
import { publish } from './platform-mailer.ts'

tap.teardown(closeBrowser)
const germanOf = sharedPlatform(tap, { people: people(2), platform: { shell: { locale: 'de' } } })
/** A browser's language comes before that of the host. */
const GERMAN = { locale: 'de-DE' }
const englishOf = sharedPlatform(tap, { people: people(2) })

test('a template is made and published on German pages', browserOptions, async (t) => {
  const { page, show, faults } = await openMail(t, germanOf, GERMAN)
  await show('templates')
  await page.getByRole('heading', { level: 1, name: 'Vorlagen' }).waitFor()
  await page.getByText('Noch keine Vorlagen').waitFor()
  await page.getByRole('link', { name: 'Neue Vorlage' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Frühling')
  await page.getByRole('button', { name: 'Anlegen' }).click()
  await page.getByRole('button', { name: 'Newsletter' }).click()
  await page.getByLabel('Betreff').fill('Vier neue Dinge')
  await page.getByText('Keine Befunde. Bereit zum Veröffentlichen.').waitFor()
  await page.getByRole('button', { name: 'Schaltfläche' }).click()
  await page.getByRole('region', { name: 'Einstellungen: Schaltfläche' }).waitFor()
  await page.getByRole('button', { name: 'v1 veröffentlichen' }).click()
  const dialog = page.locator('keelson-dialog')
  await dialog.getByRole('button', { name: 'Abbrechen' }).waitFor()
  await dialog.getByRole('button', { name: 'v1 veröffentlichen' }).click()
  await page.getByText('v1 ist aktiv.').first().waitFor()
  t.same(await accessibilityFaults(page), [])
  t.same(faults, [])
})

test('the navigation and refusals of the API are German', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, germanOf, GERMAN)
  await publish(platform, { slug: 'vergeben', kind: 'transactional' })
  await show('contacts')
  await page.getByRole('navigation').getByRole('link', { name: 'Vorlagen' }).click()
  await page.getByRole('link', { name: 'Neue Vorlage' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('vergeben')
  await page.getByRole('button', { name: 'Anlegen' }).click()
  await page.getByText('Dieser Kurzname ist vergeben. Wählen Sie einen anderen.').waitFor()
  t.equal(await page.title(), 'Vorlagen · Keelson')
})

test('a table and its cells are German', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, germanOf, GERMAN)
  await publish(platform, { slug: 'quittung', kind: 'transactional' })
  await show('templates')
  const row = page.locator('tr[data-id="quittung"]')
  await row.getByText('v1 aktiv').waitFor()
  await row.getByText('Transaktional').waitFor()
  await page.getByRole('columnheader', { name: 'Geändert' }).waitFor()
  t.pass()
})

test('what the server finds in a flow is German', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, germanOf, GERMAN)
  const trigger = { type: 'event', eventName: 'angemeldet' }
  await platform.admin('POST', '/flows', { slug: 'anfang', name: 'Anfang', trigger })
  const steps = [
    { type: 'wait', value: 1, unit: 'days' },
    { type: 'send', templateSlug: 'keine' }
  ]
  await platform.admin('PATCH', '/flows/anfang/draft', { steps })
  await show('flow/anfang?dialog=publish')
  await page.locator('keelson-dialog').getByRole('button', { name: 'v1 veröffentlichen' }).click()
  const problem = page.getByRole('alert').first()
  await problem.waitFor()
  t.match(
    await problem.textContent(),
    /Schritt 2, Mail senden: Die Vorlage keine ist nicht veröffentlicht/
  )
  await platform.admin('PATCH', '/flows/anfang/draft', { steps: [{ type: 'exit' }] })
  await show('flow/anfang?sim=c1')
  await page.getByText('Der Flow wurde nie veröffentlicht.').waitFor()
  await page.getByText('Der Kontakt hat nie abonniert.').waitFor()
})

test('why a plugin paused a broadcast is German', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, germanOf, GERMAN)
  await publish(platform, { slug: 'rundbrief', kind: 'marketing' })
  await platform.acts.upsertSubscription({ externalId: 'c1', source: 'test' })
  const fields = { slug: 'rundbrief', name: 'Rundbrief', templateSlug: 'rundbrief' }
  await platform.admin('POST', '/broadcasts', { ...fields, segmentDefinition: { filters: [] } })
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
  const schedule = { scheduledAt, confirmedCount: 1 }
  await platform.admin('POST', '/broadcasts/rundbrief/schedule', schedule)
  const message = 'Hard bounces are 3.6 % of 100 mails.'
  const by = 'circuit-breaker:acme.test'
  await platform.acts.pauseBroadcasts({ by, cause: 'circuit_breaker_tripped', message })
  await platform.acts.pauseBroadcasts({ by: 'warm-up', cause: 'warm_up', message })
  await show('broadcast/rundbrief')
  await page
    .getByText(/circuit breaker acme\.test \(automatisch\).*Die Absenderdomain ist gesperrt/)
    .waitFor()
  t.equal(await page.getByText(message).count(), 0)
  await platform.acts.resumeBroadcasts(by)
  await show('broadcast/rundbrief')
  await page.getByText(/Die Absenderdomain wird aufgewärmt/).waitFor()
  t.equal(await page.getByText(message).count(), 0)
})

/** Sets the attribute that an embedding document sets. */
const setLocale = (language: string) => `(() => {
  const find = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.localName === 'mailer-suppressions') return element
      const found = element.shadowRoot && find(element.shadowRoot)
      if (found) return found
    }
  }
  find(document).locale = '${language}'
})()`

test('a page takes its language from its locale attribute', browserOptions, async (t) => {
  const { page, show, faults } = await openMail(t, englishOf)
  await show('suppressions')
  await page.getByText('No suppressions').waitFor()
  await page.evaluate(setLocale('de-AT'))
  await page.getByText('Keine Sperren').waitFor()
  await page.evaluate(setLocale('en'))
  await page.getByText('No suppressions').waitFor()
  t.same(faults, [])
})
