// Notes plugin on a test host: the tests move the clock and answer outbound calls.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createTestHost, type TestHostOptions } from '@keelson/sdk/testing'
import plugin from '../index.ts'

const viewer = { tenantId: 'acme', role: 'viewer', viewerRef: 'user:u1' }
const DAY_MS = 86_400_000

async function open(t: TestContext, options: Partial<TestHostOptions> = {}) {
  const host = await createTestHost({ plugin, viewer, ...options })
  t.after(() => host.close())
  const url = '/notes-plugin/api/notes'
  const read = async () => (await host.app.inject(url)).json()
  const texts = async (): Promise<string[]> =>
    (await read()).items.map(({ text }: { text: string }) => text)
  const add = (text: string) => host.app.inject({ method: 'POST', url, payload: { text } })
  return { host, url, read, texts, add }
}

test('a note that was added is on the list', async (t) => {
  const { texts, add } = await open(t)
  assert.equal((await add('Buy tar')).statusCode, 201)
  assert.deepEqual(await texts(), ['Buy tar'])
})

test('a note without text is refused with a word and a remedy', async (t) => {
  const { add } = await open(t)
  const refused = await add('  ')
  assert.equal(refused.statusCode, 400)
  assert.equal(refused.json().error, 'text_empty')
  assert.match(refused.json().fix, /Write something/)
})

test('a tenant sees its own notes, the platform sees all', async (t) => {
  const { host, read, texts, add } = await open(t)
  await add('Ours')
  host.signIn({ ...viewer, tenantId: 'globex' })
  assert.deepEqual(await texts(), [])
  host.signIn({ ...viewer, tenantId: '*' })
  const { items, allTenants } = await read()
  assert.equal(allTenants, true)
  assert.deepEqual([items[0].tenantId, items[0].text], ['acme', 'Ours'])
})

test('a request without a signed-in viewer is refused', async (t) => {
  const { host, url } = await open(t, { viewer: null })
  assert.equal((await host.app.inject(url)).statusCode, 401)
})

test('notes older than keepDays are removed', async (t) => {
  const { host, texts, add } = await open(t, { config: { keepDays: 2 } })
  await add('Old')
  await host.clock.advance(DAY_MS)
  assert.equal((await texts()).length, 1)
  await host.clock.advance(2 * DAY_MS)
  assert.equal((await texts()).length, 0)
})

test('a note is posted to the webhook, and again when it is refused', async (t) => {
  const { host, add } = await open(t, { config: { webhookUrl: 'https://hooks.example/in' } })
  const bodies: string[] = []
  const hook = host.outbound.get('https://hooks.example')
  for (const status of [500, 200]) {
    hook.intercept({ path: '/in', method: 'POST' }).reply(status, ({ body }) => {
      bodies.push(String(body))
      return ''
    })
  }
  const { id } = (await add('Hello')).json()
  await host.clock.advance(60_000)
  const expected = JSON.stringify({ id, text: 'Hello' })
  assert.deepEqual(bodies, [expected, expected])
})

test('both lists are served by an index', async (t) => {
  const { host } = await open(t)
  const notes = host.db.collection('notes_plugin_notes')
  for (const filter of [{}, { tenantId: 'acme' }]) {
    const plan = await notes.find(filter).sort({ createdAt: -1 }).explain('queryPlanner')
    assert.match(JSON.stringify(plan), /IXSCAN/)
    assert.doesNotMatch(JSON.stringify(plan), /"stage":"SORT"/)
  }
})
