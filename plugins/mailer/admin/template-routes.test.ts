// Templates over the admin API: previews, checks and test mails with changes that are not saved.
import { type Test, test } from 'tap'
import { openAdmin } from '../test/open-admin.ts'

async function open(t: Test) {
  const kit = await openAdmin(t)
  await kit.call('POST', '/templates', { slug: 'notice', name: 'Notice', kind: 'transactional' })
  await kit.call('PATCH', '/templates/notice/draft', {
    subject: 'Hello {{contact.email}}',
    html: '<p>{{vars.code}}</p>'
  })
  return kit
}

test('a preview shows changes that are not saved, for any contact', async (t) => {
  const { call } = await open(t)
  const preview = (body: object) => call('POST', '/templates/notice/preview', body)
  const contactId = 'c1'
  t.match((await preview({ contactId })).body, {
    subject: 'Hello c1@example.test',
    contact: { externalId: 'c1' },
    fromEmail: 'test@example.test',
    warnings: []
  })
  const unsaved = { subject: 'Bye', preheader: 'Soon', plainText: 'Text {{vars.code}}' }
  const shown = (await preview({ ...unsaved, contactId, vars: { code: 'C-1' } })).body
  t.match(shown, { subject: 'Bye', preheader: 'Soon', plainText: /Text C-1/, html: /C-1/ })
  t.match((await preview({ contactId })).body, { subject: /^Hello/ })
})

test('an unknown field and a wrong type of a preview, a check or a test mail are named', async (t) => {
  const { call } = await open(t)
  const to = 'someone@example.test'
  for (const [route, body, path] of [
    ['preview', { subject: 5 }, 'subject'],
    ['preview', { colour: 'red' }, 'colour'],
    ['preview', { sampleContact: { tags: 'vip' } }, 'sampleContact.tags'],
    ['check', { html: ['a'] }, 'html'],
    ['send-test', { to, vars: {} }, 'vars'],
    ['send-test', { to: 'none' }, 'to']
  ] as const) {
    const fields = [{ path }]
    const refused = { status: 400, body: { error: 'validation_failed', fields } }
    t.match(await call('POST', `/templates/notice/${route}`, body), refused, `${route} ${path}`)
  }
})

test('a check says what publishing would answer, and which variables there are', async (t) => {
  const { call } = await open(t)
  const check = (body: object) => call('POST', '/templates/notice/check', body)
  t.match((await check({})).body, {
    refusal: null,
    warnings: [],
    reports: {},
    variables: [
      { path: 'contact.email', isUsed: true },
      { path: 'vars.code', isUsed: true }
    ]
  })
  t.match((await check({ html: '<p>{{#if}}' })).body, { refusal: { error: 'compile_failed' } })
  t.equal((await call('POST', '/templates/none/check', {})).status, 404)
})

test('a preview says what each variable is for the contact, and what is missing', async (t) => {
  const { call } = await open(t)
  const html = '<p>{{contact.email}} {{vars.code}} <a href="{{unsubscribeUrl}}">x</a></p>'
  const body = { html, contactId: 'c1', kind: 'marketing', fromEmail: 'news@example.test' }
  const shown = await call('POST', '/templates/notice/preview', body)
  t.same(shown.body.variables, [
    { path: 'contact.email', value: 'c1@example.test', isMissing: false },
    { path: 'vars.code', value: '', isMissing: true },
    { path: 'unsubscribeUrl', isMissing: false }
  ])
})

test('a template names what sends it', async (t) => {
  const { call } = await open(t)
  const uses = async () => (await call('GET', '/templates/notice/uses')).body
  t.same(await uses(), [])
  await call('POST', '/templates/notice/publish', {})
  const trigger = { type: 'event', eventName: 'ordered' }
  await call('POST', '/flows', { slug: 'orders', name: 'Orders', trigger })
  const steps = [{ type: 'send', templateSlug: 'notice' }]
  await call('PATCH', '/flows/orders/draft', { steps })
  t.same(await uses(), [], 'a draft sends nothing')
  await call('POST', '/flows/orders/publish', {})
  await call('POST', '/flows/orders/resume', {})
  t.same(await uses(), [{ kind: 'flow', slug: 'orders', name: 'Orders' }])
  t.same((await call('GET', '/templates/none/uses')).body, [])
})

test('a test mail has the changes that are not saved', async (t) => {
  const { call, provider } = await open(t)
  const mail = { to: 'someone@example.test', subject: 'Unsaved', contactId: 'c1' }
  t.match(await call('POST', '/templates/notice/send-test', mail), { body: { ok: true } })
  t.match(provider.sent, [{ to: 'someone@example.test', subject: 'Unsaved' }])
  await call('POST', '/templates/notice/send-test', { ...mail, isMarked: true })
  t.equal(provider.sent[1]?.subject, '[Test] Unsaved')
})
