// What starts a flow, chosen in a browser: a schedule in words, and contacts by filters.
import { browserOptions, closeBrowser, faultsInEveryLook } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { openMail, people, sharedPlatform } from './page-host.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, { people: people(3) })

test(
  'a flow is started every month by contacts with a tag, without JSON and cron',
  browserOptions,
  async (t) => {
    const { page, show, platform, faults } = await openMail(t, platformOf)
    await show('flows?dialog=new')
    await page.getByLabel('Name', { exact: true }).fill('Monthly')
    await page.getByLabel('Started by').selectOption('cron')
    await page.getByLabel('How often').selectOption('month')
    await page.getByLabel('Day of the month').selectOption('15')
    await page.getByLabel('Time', { exact: true }).fill('07:30')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByLabel('Tag', { exact: true }).fill('vip')
    await page.getByRole('button', { name: 'Create flow' }).click()
    await page.waitForURL(/flow\/monthly$/)
    t.match((await platform.admin('GET', '/flows/monthly')).body.trigger, {
      type: 'cron',
      cronExpression: '30 7 15 * *',
      segmentDefinition: { filters: [{ kind: 'hasTag', tag: 'vip' }] }
    })
    await page.getByText('Every month on day 15 at 07:30 UTC').waitFor()
    await show('flows')
    await page.getByRole('cell', { name: 'Every month on day 15 at 07:30 UTC' }).waitFor()
    t.same(faults, [])
  }
)

test('the trigger of a flow is opened as it was chosen', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  const trigger = {
    type: 'cron',
    cronExpression: '0 9 * * 1',
    segmentDefinition: { filters: [{ kind: 'hasTag', tag: 'vip' }] }
  }
  await platform.admin('POST', '/flows', { slug: 'weekly', name: 'Weekly', trigger })
  await show('flow/weekly?dialog=settings')
  const repeat = page.getByLabel('How often')
  await repeat.waitFor()
  t.equal(await repeat.inputValue(), 'week')
  t.equal(await page.getByLabel('Day of the week').inputValue(), '1')
  t.equal(await page.getByLabel('Tag', { exact: true }).inputValue(), 'vip')
  t.same(await faultsInEveryLook(page), [])
  await repeat.selectOption('custom')
  t.equal(await page.getByLabel('Cron expression').inputValue(), '0 9 * * 1')
  await page.getByLabel('Cron expression').fill('0 */6 * * *')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL((url) => !url.search.includes('dialog'))
  const { body } = await platform.admin('GET', '/flows/weekly')
  t.match(body.draft.trigger, {
    cronExpression: '0 */6 * * *',
    segmentDefinition: trigger.segmentDefinition
  })
})
