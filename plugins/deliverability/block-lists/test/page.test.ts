// The Block lists page in a browser, before the real plugin.
import { createMailerStandIn } from '@keelson/mailer/testing'
import { createTestHost } from '@keelson/sdk/testing'
import { browserOptions, closeBrowser, faultsInEveryLook, openPage } from '@keelson/ui/testing'
import tap, { type Test, test } from 'tap'
import plugin from '../plugin.ts'
import { type ChangeRow, type CheckRow, checkId } from '../storage/rows.ts'

tap.teardown(closeBrowser)

const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
const LISTS = ['Spam source list', 'Policy list', 'Silent list', 'Clean list'].map((label, at) => ({
  host: `bl${at}.example`,
  label
}))
const AT = new Date('2026-11-22T10:00:00Z')

/** What the lists said: one of each verdict. */
function checkRows(): CheckRow[] {
  const answers = [
    { result: 'listed', category: 'reputation', code: '127.0.0.2', meaning: 'Source of spam' },
    { result: 'listed', category: 'policy', code: '127.0.0.10', meaning: 'Dynamic address' },
    { result: 'error', category: null },
    { result: 'clean', category: null }
  ] as const
  return answers.map((answer, at) => {
    const { host: list = '', label: listLabel = '' } = LISTS[at] ?? {}
    const target = 'acme.test'
    return {
      _id: checkId(list, target),
      target,
      targetKind: 'domain',
      list,
      listLabel,
      result: answer.result,
      category: answer.category,
      codes: 'code' in answer ? [{ code: answer.code, meaning: answer.meaning }] : [],
      errorMessage: answer.result === 'error' ? 'The list did not answer.' : null,
      known: answer.result === 'listed' ? 'listed' : 'clean',
      runAt: AT,
      attemptedAt: AT,
      failures: 0
    } as CheckRow
  })
}

async function open(t: Test) {
  const mailer = createMailerStandIn({ senderDomains: [{ domain: 'acme.test', kind: 'both' }] })
  const host = await createTestHost({
    plugin,
    plugins: [mailer.plugin],
    viewer,
    config: { dnsServers: '', domainLists: LISTS, ipLists: [], adminTenants: ['acme'] }
  })
  t.teardown(() => host.close())
  const url = await host.listen()
  const opened = await openPage(t)
  const show = () => opened.page.goto(`${url}/admin/mailer/block-lists`)
  return { mailer, host, url, show, ...opened }
}

test('the page without data is accessible, fits and says what to do', browserOptions, async (t) => {
  const { page, show, faults } = await open(t)
  await show()
  await page.getByText('Checks are turned off').first().waitFor()
  t.equal(await page.locator('h1').textContent(), 'Block lists')
  t.equal(await page.getByRole('button', { name: 'Check now' }).count(), 0, 'checks are off')
  t.same(await faultsInEveryLook(page), [])
  t.same(faults, [])
})

test('listings, their meaning and changes are shown', browserOptions, async (t) => {
  const { page, show, host, faults } = await open(t)
  const rows = checkRows()
  await host.db.collection<CheckRow>('block_lists_checks').insertMany(rows)
  const [listed] = rows
  if (listed === undefined) throw new Error('no row')
  const { target, list, listLabel, category, codes } = listed
  await host.db.collection<ChangeRow>('block_lists_changes').insertOne({
    _id: 'change',
    runId: 'run',
    target,
    list,
    listLabel,
    result: 'listed',
    category,
    codes: [...codes],
    at: AT
  })
  await host.db.collection<ChangeRow>('block_lists_changes').insertOne({
    _id: 'ended',
    runId: 'run',
    target,
    list: 'bl3.example',
    listLabel: 'Clean list',
    result: 'clean',
    category: null,
    codes: [],
    at: AT
  })
  await host.db.collection<{ _id: string }>('block_lists_lists').insertOne({
    _id: 'bl3.example',
    state: 'dead',
    reason: 'It does not list its own test point.',
    hasIpv6: false,
    testedAt: AT,
    failures: 0
  } as { _id: string })
  await show()
  for (const words of ['listed', 'policy only', 'no answer', 'not listed']) {
    await page.getByText(words, { exact: true }).first().waitFor()
  }
  await page.getByText('since Nov 22, 2026').waitFor()
  await page.getByText('It does not list its own test point.').waitFor()
  const copied = page.getByRole('button', { name: "Copy for the list's operator" })
  t.equal(await copied.count(), 1, 'an entry of a policy list needs no appeal')
  const facts = 'acme.test\nbl0.example: 127.0.0.2 (Source of spam)\n2026-11-22T10:00:00.000Z'
  t.equal(await page.locator('.whole keelson-copy').getAttribute('text'), facts)
  t.same(await faultsInEveryLook(page), [])
  t.same(faults, [])
})
