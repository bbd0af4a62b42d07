// Clients are found by words of their names, ids and hosts, and listed page by page.
import { test } from 'tap'
import { searchWordsOf } from '../clients/client-search.ts'
import { startHost } from './flow.ts'

test('a client is found by starts of words of its name, its id and its callback hosts', async (t) => {
  const running = await startHost(t)
  const { host } = running
  const { clientId } = await running.client({
    name: 'Größe & Ledger (beta)',
    redirectUris: ['https://app.harbour.test/cb']
  })
  await running.client({ name: 'Quay', redirectUris: ['https://quay.test/cb'] })
  const found = async (search: string) =>
    (await host.clients.list({ search })).items.map(({ name }) => name)
  for (const text of ['ledg', 'GRÖSSE', 'größe led', 'beta', 'harbour.t', 'app.har', clientId]) {
    const expected = text === 'GRÖSSE' ? [] : ['Größe & Ledger (beta)']
    t.same(await found(text), expected, text)
  }
  t.same(await found('edger'), [], 'the middle of a word')
  t.same(await found('.*'), [], 'an expression is text')
  t.equal((await found('  ')).length, 2, 'an empty search shows all')
})

test('a client that is renamed is found by its new name alone', async (t) => {
  const running = await startHost(t)
  const { clientId } = await running.client({ name: 'Before' })
  await running.host.clients.update(clientId, { name: 'After' })
  const count = async (search: string) => (await running.host.clients.list({ search })).items.length
  t.same([await count('before'), await count('after')], [0, 1])
  const [row] = (await running.host.clients.list()).items
  t.notOk('searchWords' in (row ?? {}), 'the words are not shown')
})

test('pages of the list show each client once, also those of one moment and new ones', async (t) => {
  const running = await startHost(t)
  for (let at = 0; at < 5; at++) await running.client({ name: `App ${at}` })
  const first = await running.host.clients.list({ limit: 2, search: 'app' })
  t.equal(typeof first.nextCursor, 'string')
  running.clock.advance(1)
  await running.client({ name: 'App new' })
  const names = first.items.map(({ name }) => name)
  let cursor = first.nextCursor
  while (cursor !== null) {
    const page = await running.host.clients.list({ limit: 2, search: 'app', cursor })
    names.push(...page.items.map(({ name }) => name))
    cursor = page.nextCursor
  }
  t.same(names.toSorted(), ['App 0', 'App 1', 'App 2', 'App 3', 'App 4'])
  await t.rejects(running.host.clients.list({ cursor: 'x' }), { code: 'OAU_REQUEST_INVALID' })
})

test('clients of an earlier version get their words at the start', async (t) => {
  const running = await startHost(t)
  await running.client({ name: 'Older' })
  await running.host.models.OAuthClient.updateMany({}, { $unset: { searchWords: '' } })
  t.same((await running.host.clients.list({ search: 'older' })).items, [])
  await running.host.syncIndexes()
  t.match((await running.host.clients.list({ search: 'older' })).items, [{ name: 'Older' }])
})

test('words are bounded, whatever a client is called', (t) => {
  const words = searchWordsOf({
    clientId: 'c',
    name: 'word '.repeat(500) + 'x'.repeat(999),
    redirectUris: Array.from({ length: 50 }, (_, at) => `https://h${at}.example.test/cb`)
  })
  t.ok(words.length <= 64)
  t.ok(words.every(({ length }) => length <= 128))
  t.end()
})
