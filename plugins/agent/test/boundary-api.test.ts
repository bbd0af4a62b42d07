// What a token may not do by the admin API, by resources, and with bodies that are too deep.
import { systemActor } from '@keelson/sdk'
import { type Test, test } from 'tap'
import { agentApp, receipt, TOKEN } from './agent-app.ts'

const withKey = { authorization: `Bearer ${TOKEN}`, 'idempotency-key': 'k' }
const refused = { status: 403, body: { error: 'use_the_agent_route', fix: String, docs: String } }

async function withFlow(t: Test) {
  const app = await agentApp(t)
  const { call } = app
  await call('PUT', '/templates/receipt', receipt())
  const trigger = { type: 'event', eventName: 'joined', once: false }
  t.equal((await call('POST', '/api/flows', { slug: 'f', name: 'F', trigger })).status, 201)
  const steps = [{ type: 'send', templateSlug: 'receipt' }]
  await call('PATCH', '/api/flows/f/draft', { steps })
  t.equal((await call('POST', '/api/flows/f/publish', { enable: false })).status, 200)
  return app
}

test('a token pauses all marketing mail, and does not lift the pause of a person', async (t) => {
  const { call } = await agentApp(t)
  const reason = 'legal asked us to stop'
  t.equal((await call('POST', '/api/pause', { reason })).status, 200)
  t.match(await call('DELETE', '/api/pause'), refused)
  t.match((await call('GET', '/api/pause')).body, { pause: { reason } })
})

test('a token turns a flow on by arming it alone', async (t) => {
  const { call } = await withFlow(t)
  for (const [path, body] of [
    ['resume', {}],
    ['publish', {}],
    ['publish', { enable: true }]
  ] as const) {
    t.match(await call('POST', `/api/flows/f/${path}`, body), refused, path)
  }
  t.equal((await call('GET', '/api/flows/f')).body.enabled, false)
  t.match(await call('POST', '/flows/f/arm', { confirm: true }), { status: 200 })
  t.match(await call('POST', '/api/flows/f/pause', {}), { status: 200 }, 'stopping is allowed')
})

test('a token enables no program, and enters no contact into one', async (t) => {
  const { call } = await agentApp(t)
  for (const path of ['enable', 'enter', 'tick']) {
    t.match(await call('POST', `/api/programs/p/${path}`, {}), refused, path)
  }
})

test('a token schedules no broadcast by the admin API, and changes no contact', async (t) => {
  const { call } = await agentApp(t)
  const times = { scheduledAt: '2030-01-01T00:00:00Z', confirmedCount: 1 }
  t.match(await call('POST', '/api/broadcasts/b/schedule', times), refused)
  t.match(await call('POST', '/api/broadcasts/b/resume', {}), refused)
  for (const path of ['unsubscribe', 'resubscribe', 'forget', 'tags']) {
    t.match(await call('POST', `/api/contacts/p1/${path}`, {}), refused, path)
  }
})

test('the routes of a token bind the resources that it lists and reads', async (t) => {
  const bound = (routes: readonly string[]) => [{ token: TOKEN, actor: 'agent:a', routes }]
  const uris = async (routes: readonly string[]) => {
    const app = await agentApp(t, { tokens: bound(routes) })
    const body = { ...receipt(), kind: 'transactional' } as const
    await app.seams.operations
      .as(systemActor('test'))
      .call('mailer.templates.put', { params: { slug: 'receipt' }, body })
    const client = await app.connect()
    const { resources } = await client.listResources()
    const read = client.readResource({ uri: 'mailer://templates/receipt' })
    const isRead = await read.then(() => true).catch(() => false)
    return { isRead, isListed: resources.some(({ uri }) => uri === 'mailer://templates/receipt') }
  }
  t.same(await uris(['/status']), { isRead: false, isListed: false })
  t.same(await uris(['/api/flows/*']), { isRead: false, isListed: false })
  t.same(await uris(['/api/templates/*']), { isRead: true, isListed: true })
})

test('a resource has what the admin API answers, and nothing else of what is stored', async (t) => {
  const app = await withFlow(t)
  const client = await app.connect()
  for (const kind of ['templates/receipt', 'flows/f']) {
    const { contents } = await client.readResource({ uri: `mailer://${kind}` })
    const [content] = contents as { readonly text: string }[]
    const document = JSON.parse(content?.text ?? '')
    const { body } = await app.call('GET', `/api/${kind}`)
    t.same(
      Object.keys(document).filter((name) => !Object.hasOwn(body, name)),
      [],
      kind
    )
    t.equal(document._id, undefined)
  }
})

test('a body that is too deep is refused before its key is looked up', async (t) => {
  const { call, db } = await agentApp(t)
  const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  const headers = { ...withKey, 'content-type': 'application/json' }
  for (const path of ['/tick', '/events', '/api/templates', '/templates/a/send']) {
    t.match(await call('POST', path, deep, headers), {
      status: 400,
      body: { error: 'validation_failed', fields: [{ path: 'body', message: /deep/ }] }
    })
  }
  t.equal(await db.collection('agent_answers').countDocuments({}), 0)
})

test('arguments of a tool that are too deep are refused, with a key and without', async (t) => {
  const client = await (await agentApp(t)).connect()
  const deep = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`)
  for (const more of [{}, { idempotencyKey: 'k' }]) {
    const args = { name: 'a', externalId: 't1', properties: { deep }, ...more }
    const result = await client.callTool({ name: 'fire_event', arguments: args })
    const [content] = result.content as { readonly text: string }[]
    t.match(JSON.parse(content?.text ?? ''), { error: 'validation_failed' })
  }
})
