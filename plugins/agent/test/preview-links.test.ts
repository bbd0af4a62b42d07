// Reading hands out no credential: links of people look alike and change nothing; those of test contacts work.
import { type Test, test } from 'tap'
import { type AgentApp, agentApp, receipt, TOKEN } from './agent-app.ts'

const html =
  '<p>News, in words enough. <a href="{{unsubscribeUrl}}">Unsubscribe</a> <a href="{{viewInBrowserUrl}}">View</a></p>'
const news = receipt({ kind: 'marketing', body: { html } })
const READER = 'a-token-that-reads-only-0001'
const reading = { authorization: `Bearer ${READER}` }

async function open(t: Test, config: object = {}) {
  const tokens = [
    { token: TOKEN, actor: 'agent:test' },
    { token: READER, actor: 'agent:reader', scopes: ['mail:read'] as const }
  ]
  const app = await agentApp(t, { tokens, config })
  await app.call('PUT', '/templates/news', news)
  await app.call('POST', '/contacts/t1/subscribe')
  const read = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const reply = await app.call(method, path, body, reading)
    t.equal(reply.status, 200, `${path}: ${JSON.stringify(reply.body).slice(0, 200)}`)
    return reply.body
  }
  return { ...app, read }
}

/** The addresses of the mailer's public routes in a text. */
const linksIn = (text: string): readonly string[] => [
  ...new Set(text.match(/https:\/\/mail\.example\.test\/m\/(?:unsub|confirm-doi|view)\/[\w./-]+/g))
]

/** Follows each link as a person and as a mail program does; what is stored stays. */
async function changesNothing(t: Test, { app, db }: AgentApp, text: string, least = 1) {
  const links = linksIn(text)
  t.ok(links.length >= least, `${links.length} links`)
  const stored = async () => [
    await db.collection('mailer_suppressions').find().toArray(),
    await db.collection('mailer_subscriptions').find().toArray()
  ]
  const before = await stored()
  for (const link of links) {
    const { pathname: url } = new URL(link)
    const page = await app.inject(url)
    t.match([page.statusCode, page.payload], [200, /part of a preview/], url)
    if (url.includes('/view/')) continue
    const posted = await app.inject({ method: 'POST', url, payload: 'List-Unsubscribe=One-Click' })
    t.match([posted.statusCode, posted.payload], [200, /Nothing has changed/], url)
    const choice = { action: 'unsubscribe-all' }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const payload = new URLSearchParams(choice).toString()
    await app.inject({ method: 'POST', url: `${url}/preferences`, headers, payload })
  }
  t.same(await stored(), before)
}

test('the links of a render unsubscribe no person, whom it names and whom it invents', async (t) => {
  const kit = await open(t)
  for (const body of [
    { contactId: 'p1' },
    { sampleContact: { email: 'ceo@victim.example' } },
    { sampleContact: { externalId: 't1', email: 'person@elsewhere.test' } }
  ]) {
    const rendered = await kit.read('POST', '/templates/news/render', body)
    t.match(rendered.unsubscribeUrl, /\/m\/unsub\//)
    t.ok(rendered.html.includes(rendered.unsubscribeUrl))
    await changesNothing(t, kit, JSON.stringify(rendered), 2)
  }
})

test('nor do those of a verification, in its mail and in its sample of links', async (t) => {
  const kit = await open(t)
  const request = { contactId: 'p1', includeRendered: true }
  const verified = await kit.read('POST', '/templates/news/verify', request)
  t.equal(verified.ok, true, JSON.stringify(verified.checks))
  await changesNothing(t, kit, JSON.stringify(verified.rendered), 2)
  const plain = await kit.read('POST', '/templates/news/verify', { contactId: 'p1' })
  await changesNothing(t, kit, JSON.stringify(plain.links.sample), 2)
})

test('nor do those of a preview of the admin API, and of a mail that was sent', async (t) => {
  const kit = await open(t)
  const shown = await kit.read('POST', '/api/templates/news/preview', { contactId: 'p1' })
  await changesNothing(t, kit, JSON.stringify(shown), 2)
  const mail = { templateSlug: 'news', externalId: 'p1', dedupeKey: 'k' }
  const { sendId } = await kit.mailer.sendOneOff(mail)
  await kit.drain()
  const rendered = await kit.read('GET', `/api/sends/${sendId}/rendered`)
  await changesNothing(t, kit, JSON.stringify(rendered), 2)
  const [sent] = kit.provider.sent
  const [link = ''] = linksIn(sent?.html ?? '')
  t.match((await kit.app.inject(new URL(link).pathname)).payload, /Stop marketing mail/)
})

test('nor do those that a tool answers', async (t) => {
  const kit = await open(t)
  const client = await kit.connect(READER)
  const args = { slug: 'news', contactId: 'p1' }
  const result = await client.callTool({ name: 'render_template', arguments: args })
  await changesNothing(t, kit, JSON.stringify(result.structuredContent), 2)
})

test('nor do those of a test mail that is written for a person', async (t) => {
  const kit = await open(t)
  const mail = { to: 't1@example.test', contactId: 'p1' }
  t.equal((await kit.call('POST', '/api/templates/news/send-test', mail)).status, 200)
  const [sent] = kit.provider.sent
  await changesNothing(t, kit, JSON.stringify(sent), 2)
})

test('a confirmation link is not read from a mail that was sent', async (t) => {
  const kit = await open(t, { requireDoubleOptIn: true })
  const body = { html: '<p>Please confirm it here: <a href="{{vars.confirmDoiUrl}}">yes</a></p>' }
  await kit.call('PUT', '/templates/doi-confirmation', receipt({ body }))
  await kit.mailer.upsertSubscription({ externalId: 'p1', source: 'test' })
  await kit.drain()
  const [send] = await kit.read('GET', '/api/sends?template=doi-confirmation')
  const places = [`/api/sends/${send._id}`, `/api/sends/${send._id}/rendered`, '/api/contacts/p1']
  const answers = []
  for (const path of places) answers.push(await kit.read('GET', path))
  await changesNothing(t, kit, JSON.stringify(answers))
  const row = await kit.db.collection('mailer_subscriptions').findOne({ externalId: 'p1' })
  t.equal(row?.['status'], 'pending_doi')
})

test('the links of test contacts really work, and of invented ones that match', async (t) => {
  const kit = await open(t)
  for (const body of [
    { contactId: 't1' },
    { sampleContact: { externalId: 'x', email: 't77@example.test' } }
  ]) {
    const { unsubscribeUrl } = await kit.read('POST', '/templates/news/render', body)
    const url = new URL(unsubscribeUrl).pathname
    t.match((await kit.app.inject(url)).payload, /Stop marketing mail/)
    await kit.app.inject({ method: 'POST', url })
  }
  const rows = await kit.db.collection('mailer_suppressions').find().toArray()
  t.same(rows.map(({ email }) => email).sort(), ['t1@example.test', 't77@example.test'])
})
