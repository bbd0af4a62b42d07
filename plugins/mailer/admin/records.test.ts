// Mails, suppressions and segments over the admin API: what operators change by hand.
import { test } from 'tap'
import { openAdmin } from '../test/open-admin.ts'

test('a suppression is taken away; after a bounce only for a reason, after an erasure never', async (t) => {
  const { call } = await openAdmin(t)
  for (const reason of ['manual', 'hard_bounce', 'gdpr_forget']) {
    const row = { email: `${reason}@example.test`.replaceAll('_', '-'), scope: 'all', reason }
    t.equal((await call('POST', '/suppressions', row)).status, 200)
  }
  const idOf = async (reason: string) =>
    (await call('GET', `/suppressions?reason=${reason}`)).body[0]._id
  const remove = async (reason: string, body: object = {}) =>
    call('DELETE', `/suppressions/${await idOf(reason)}`, body)
  t.match(await remove('hard_bounce'), { status: 400, body: { error: 'reason_required' } })
  const why = { reason: 'The mailbox works again.' }
  t.match(await remove('gdpr_forget', why), { status: 409, body: { error: 'not_removable' } })
  t.equal((await remove('hard_bounce', why)).status, 200)
  t.equal((await remove('manual')).status, 200)
  t.equal((await call('GET', '/suppressions')).body.length, 1)
  const { body } = await call('GET', '/audit?action=suppression.remove')
  t.match(body, [
    { before: { reason: 'manual' } },
    { before: { reason: 'hard_bounce', email: 'hard-bounce@example.test' }, after: why }
  ])
  t.equal((await call('DELETE', '/suppressions/none')).status, 404)
})

test('a mail is sent once more as a new mail, once per key', async (t) => {
  const { call, mailer, drain, provider } = await openAdmin(t)
  await call('POST', '/templates', { slug: 'notice', name: 'Notice', kind: 'transactional' })
  const draft = { subject: 'Hello {{vars.name}}', html: '<p>Hello</p>' }
  await call('PATCH', '/templates/notice/draft', draft)
  await call('POST', '/templates/notice/publish')
  const mail = { templateSlug: 'notice', externalId: 'c1', vars: { name: 'Ann' }, dedupeKey: 'one' }
  const { sendId } = await mailer.sendOneOff(mail)
  const again = () => call('POST', `/sends/${sendId}/resend`, { key: 'click' })
  t.match(await again(), { status: 409, body: { error: 'not_resendable' } })
  await drain()
  const made = await again()
  t.match(made, { status: 201, body: { ok: true } })
  t.same((await again()).body, made.body)
  await drain()
  t.match(provider.sent, [{ subject: 'Hello Ann' }, { subject: 'Hello Ann' }])
  t.equal(provider.sent.length, 2)
  t.equal((await call('GET', '/audit?action=send.resend')).body.length, 1)
  t.equal((await call('POST', `/sends/${'f'.repeat(24)}/resend`)).status, 404)
})

test('a segment is counted and previewed; an unknown filter is named', async (t) => {
  const { call, mailer } = await openAdmin(t)
  await mailer.upsertSubscription({ externalId: 'c1', source: 'test' })
  const ask = (name: string, filters: readonly object[]) =>
    call('POST', `/segments/${name}`, { segmentDefinition: { filters } })
  t.match((await ask('count', [])).body, { matched: 1, eligible: 1 })
  t.match((await ask('preview', [])).body, { contacts: [{ externalId: 'c1' }] })
  t.match((await ask('count', [{ kind: 'hasTag', tag: 'vip' }])).body, { matched: 0, eligible: 0 })
  t.match((await ask('preview', [{ kind: 'hasTag', tag: 'vip' }])).body, { contacts: [] })
  t.match(await ask('count', [{ kind: 'star-sign' }]), {
    status: 400,
    body: { error: 'invalid_segment', message: /star-sign/ }
  })
  t.match(await call('POST', '/segments/count', {}), { body: { error: 'validation_failed' } })
})
