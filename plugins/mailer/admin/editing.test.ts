// Editing over the admin API: two editors, versions, what the audit log keeps of it.
import { test } from 'tap'
import { openAdmin } from '../test/open-admin.ts'

const template = { slug: 'notice', name: 'Notice', kind: 'transactional' }
const flow = { slug: 'welcome', name: 'Welcome', trigger: { eventName: 'opened' } }

for (const [kind, resource, made] of [
  ['template', '/templates/notice', template],
  ['flow', '/flows/welcome', flow],
  ['program', '/programs/activation', { slug: 'activation', name: 'Activation' }]
] as const) {
  test(`two editors never overwrite each other's ${kind} silently`, async (t) => {
    const { call } = await openAdmin(t)
    t.equal((await call('POST', `/${kind}s`, made)).status, 201)
    const etag = String((await call('GET', resource)).headers['etag'])
    const edit = (name: string, headers = {}) =>
      call('PATCH', `${resource}/draft`, { name }, headers)
    const first = await edit('First', { 'if-match': etag })
    t.match(first, { status: 200, headers: { etag: /^"\d+"$/ } })
    t.not(first.headers['etag'], etag)
    for (const stale of [etag, '"nonsense"', '"999"']) {
      const refused = await edit('Second', { 'if-match': stale })
      t.match(refused, { status: 409, body: { error: 'draft_conflict', message: /Read it again/ } })
    }
    const { body } = await call('GET', resource)
    t.equal((body.draft?.name ?? body.name) as string, 'First')
    t.equal((await edit('Third', { 'if-match': first.headers['etag'] })).status, 200)
    t.equal((await edit('Fourth', { 'if-match': '*' })).status, 200)
    t.equal((await edit('Fifth')).status, 200, 'a change without a revision takes the newest')
  })
}

for (const [resource, made, draft] of [
  ['templates', template, { subject: 'Hello', html: '<p>Hello</p>' }],
  ['flows', flow, { steps: [{ type: 'exit' }] }]
] as const) {
  test(`a draft of ${resource} that another editor changed is not published unread`, async (t) => {
    const { call } = await openAdmin(t)
    await call('POST', `/${resource}`, made)
    const path = `/${resource}/${made.slug}`
    const { headers } = await call('PATCH', `${path}/draft`, draft)
    await call('PATCH', `${path}/draft`, { name: 'By another editor' })
    const publish = (tag: unknown) => call('POST', `${path}/publish`, {}, { 'if-match': tag })
    const refused = await publish(headers['etag'])
    t.match(refused, { status: 409, body: { error: 'draft_conflict' } })
    t.match((await call('GET', path)).body, { version: 0, draft: {} })
    const { etag } = (await call('GET', path)).headers
    t.equal((await publish(etag)).status, 200)
  })
}

test('a change of a draft is audited with the fields that differ', async (t) => {
  const { call } = await openAdmin(t)
  await call('POST', '/templates', template)
  await call('PATCH', '/templates/notice/draft', {
    subject: 'Hi',
    html: '<p>x</p>',
    kind: 'transactional'
  })
  const { body } = await call('GET', '/audit?action=template.draft.update')
  t.match(body, [{ diffSummary: 'subject, html' }])
  t.same([body[0].before, body[0].after], [{ subject: '' }, { subject: 'Hi' }])
})

test('a version of a template is read as it was published, and is published again', async (t) => {
  const { call } = await openAdmin(t)
  await call('POST', '/templates', template)
  for (const subject of ['One', 'Two']) {
    await call('PATCH', '/templates/notice/draft', { subject, html: '<p>Hello</p>' })
    t.equal((await call('POST', '/templates/notice/publish')).status, 200)
  }
  t.match(await call('GET', '/templates/notice/versions/1'), { body: { subject: 'One' } })
  t.equal((await call('GET', '/templates/notice/versions/9')).status, 404)
  await call('PATCH', '/templates/notice/draft', { html: '<p>Hello</p>\n<p>You</p>' })
  t.same((await call('GET', '/templates/notice/diff?from=1&to=2')).body, {
    changes: [{ field: 'subject', before: 'One', after: 'Two' }]
  })
  t.match((await call('GET', '/templates/notice/diff')).body, {
    changes: [{ field: 'body.html', hunks: [{ lines: [' <p>Hello</p>', '+<p>You</p>'] }] }]
  })
  t.equal((await call('GET', '/templates/notice/diff?from=9')).status, 404)
  for (const path of ['/templates/none/versions', '/flows/none/versions'])
    t.match(await call('GET', path), { status: 404, body: { error: 'not_found' } }, path)
  t.match(await call('GET', '/templates/notice/versions/x'), {
    status: 400,
    body: { error: 'bad_id' }
  })
  t.match(await call('POST', '/templates/notice/rollback', { version: 1 }), {
    body: { version: 3 }
  })
  t.match((await call('GET', '/templates/notice')).body, { subject: 'One', version: 3 })
  t.match((await call('GET', '/templates/notice/versions')).body, [{}, {}, { version: 1 }])
  t.equal((await call('DELETE', '/templates/notice')).status, 200)
  t.equal((await call('GET', '/templates/notice')).status, 404)
})

test('runs of a flow are listed in pages, skipped and stopped', async (t) => {
  const { call, mailer, drain } = await openAdmin(t)
  await mailer.registerEvent({ name: 'opened', dedupePolicy: 'every-time' })
  await mailer.upsertSubscription({ externalId: 'c1', source: 'test' })
  await call('POST', '/flows', flow)
  const wait = { type: 'wait', value: 1, unit: 'days' }
  await call('PATCH', '/flows/welcome/draft', { steps: [wait, wait] })
  t.equal((await call('POST', '/flows/welcome/publish', {})).status, 200)
  for (let at = 0; at < 2; at++) await mailer.fire('opened', 'c1', { at })
  await drain()
  const first = await call('GET', '/flows/welcome/runs?status=active&limit=1')
  t.equal(first.body.length, 1)
  const rest = await call('GET', `/flows/welcome/runs?cursor=${first.headers['x-next-cursor']}`)
  t.equal(rest.body.length, 1)
  const id = first.body[0]._id
  t.same((await call('POST', `/runs/${id}/skip`)).body, { ok: true })
  t.match((await call('GET', '/audit?action=flow_run.skip')).body, [{ ip: '127.0.0.1' }])
  t.match((await call('POST', `/runs/${id}/stop`, { reason: 'asked' })).body, { ok: true })
  const stopped = await call('GET', '/flows/welcome/runs?status=exited')
  t.match(stopped.body, [{ _id: id, exitReason: 'aborted_by_host:asked' }])
  t.match(await call('POST', `/runs/${id}/skip`), {
    status: 409,
    body: { error: 'run_not_active' }
  })
  for (const [query, path] of [
    ['status=unknown', 'status'],
    ['limit=x', 'limit'],
    ['version=0', 'version'],
    ['step=1,2', 'step'],
    ['cursor=nonsense', 'cursor'],
    ['emial=c1', 'emial']
  ] as const) {
    const refused = { status: 400, body: { error: 'validation_failed', fields: [{ path }] } }
    t.match(await call('GET', `/flows/welcome/runs?${query}`), refused, query)
  }
  t.match(await call('DELETE', '/flows/welcome'), { status: 409, body: { error: 'has_runs' } })
})

test('a contact is found, tagged, unsubscribed, subscribed again and exported', async (t) => {
  const { call } = await openAdmin(t)
  t.match((await call('GET', '/contacts?search=C1@example.test')).body, { contacts: [{}] })
  t.same((await call('POST', '/contacts/c1/tags', { add: ['vip', 'new'] })).body, { ok: true })
  await call('POST', '/contacts/c1/tags', { remove: ['new'] })
  t.same((await call('GET', '/contacts/c1')).body.contact.tags, ['vip'])
  t.equal((await call('POST', '/contacts/c1/unsubscribe', {})).status, 200)
  t.match((await call('GET', '/suppressions')).body, [
    { reason: 'unsubscribed', scope: 'marketing' }
  ])
  t.match((await call('POST', '/contacts/c1/resubscribe', {})).body, { removedSuppressions: 1 })
  t.match((await call('GET', '/contacts/c1/export')).body, {
    subscription: { status: 'subscribed' }
  })
  const { body } = await call('GET', '/audit?resource=c1')
  const actions = body.map(({ action }: { readonly action: string }) => action)
  t.same(actions.sort(), [
    'contact.export',
    'contact.resubscribe',
    'contact.tag',
    'contact.tag',
    'contact.unsubscribe'
  ])
  for (const [path, sent] of [
    ['tags', { add: [''] }],
    ['tags', { tags: [] }],
    ['unsubscribe', { scope: 'some' }]
  ] as const)
    t.match(await call('POST', `/contacts/c1/${path}`, sent), {
      body: { error: 'validation_failed' }
    })
  t.equal((await call('POST', '/contacts/none/tags', {})).status, 404)
})

test('an erasure repeats the id, and leaves a block by hash', async (t) => {
  const { call } = await openAdmin(t)
  t.match(await call('POST', '/contacts/c1/forget', { confirm: 'c2' }), {
    status: 400,
    body: { error: 'not_confirmed' }
  })
  t.same((await call('GET', '/suppressions')).body, [])
  t.same((await call('POST', '/contacts/c1/forget', { confirm: 'c1' })).body, { ok: true })
  t.match((await call('GET', '/suppressions')).body, [{ email: null, reason: 'gdpr_forget' }])
  t.match((await call('GET', '/audit?action=contact.forget')).body, [
    { actor: 'human:check', resource: { id: 'c1' } }
  ])
})
