// Mails, suppressions and segments over the admin API: what operators change by hand.
import { Readable } from 'node:stream'
import { test } from 'tap'
import { unsubscribe } from '../audience/contacts/unsubscribe.ts'
import { listRecipients } from '../campaigns/broadcasts/read-broadcasts.ts'
import { openAdmin } from '../test/open-admin.ts'
import { recorded } from '../test/sent-mail.ts'

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

test('a suppression of a category with a long name is taken away', async (t) => {
  const { call, mailer } = await openAdmin(t)
  const category = 'n'.repeat(64)
  await unsubscribe(mailer.getRunnerContext(), 'a@example.test', { scope: 'marketing', category })
  const [{ _id }] = (await call('GET', `/suppressions?scope=category:${category}`)).body
  t.equal((await call('DELETE', `/suppressions/${_id}`)).status, 200)
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

/** One mail to c1, handed over. */
async function sendNotice(t: Parameters<typeof openAdmin>[0]) {
  const opened = await openAdmin(t)
  const { call, mailer, drain } = opened
  await call('POST', '/templates', { slug: 'notice', name: 'Notice', kind: 'transactional' })
  await call('PATCH', '/templates/notice/draft', { subject: 'Hello', html: '<p>Hello</p>' })
  await call('POST', '/templates/notice/publish')
  const mail = { templateSlug: 'notice', externalId: 'c1', dedupeKey: 'one' }
  const { sendId } = await mailer.sendOneOff(mail)
  await drain()
  return { ...opened, sendId }
}

test('lists tell apart what people and machines did', async (t) => {
  const { call, mailer, sendId } = await sendNotice(t)
  const at = new Date('2026-11-21T14:02:11Z')
  const { sends } = mailer.getRunnerContext().collections
  const broadcastId = 'cast'
  await sends.updateOne({ _id: sendId }, recorded({ firstClickAt: at, broadcastId }))
  const read = async () => [
    ...(await call('GET', '/sends')).body,
    (await call('GET', `/sends/${sendId}`)).body.send,
    ...(await call('GET', '/dashboard')).body.recentSends,
    ...(await call('GET', '/contacts/c1')).body.recentSends,
    ...(await listRecipients(mailer.getRunnerContext(), broadcastId, { status: 'clicked' }))
      .recipients
  ]
  const machine = await read()
  t.equal(machine.length, 5)
  for (const send of machine) {
    t.equal(send.status, 'clicked')
    t.notOk('humanClickedAt' in send)
  }
  await sends.updateOne({ _id: sendId }, recorded({ humanClickedAt: at }))
  for (const send of await read()) t.same(new Date(send.humanClickedAt), at)
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

test('suppressions are imported and exported as a file', async (t) => {
  const { call, app } = await openAdmin(t)
  const send = (query: string, payload: string, type = 'text/csv') => {
    const url = `/admin/mailer/api/suppressions/import${query}`
    return app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
  }
  const made = await send('?scope=all&reason=hard_bounce', 'email\na@example.test\nnone\n')
  t.equal(made.statusCode, 200)
  t.match(made.json(), { rows: 2, taken: 1, broken: 1, errors: [{ line: 3, message: /email/ }] })
  t.match((await call('GET', '/suppressions')).body, [
    { email: 'a@example.test', scope: 'all', reason: 'hard_bounce', source: 'import' }
  ])
  t.match((await send('?scope=every', 'email\n')).json(), { error: 'validation_failed' })
  t.match((await send('', 'name\n')).json(), { error: 'no_email_column' })
  const wrong = await send('', '{}', 'application/json')
  t.match([wrong.statusCode, wrong.json()], [415, { error: 'unsupported_media_type' }])
  const csv = { 'content-type': 'text/csv' }
  const url = '/admin/mailer/api/templates'
  t.equal((await app.inject({ method: 'POST', url, payload: 'a', headers: csv })).statusCode, 415)
  const exported = await app.inject('/admin/mailer/api/suppressions/export?scope=all')
  t.match(exported.headers, { 'content-type': /text\/csv/, 'content-disposition': /suppressions/ })
  t.match(exported.body.split('\n')[1], /^a@example\.test,[0-9a-f]{64},all,hard_bounce,import/)
  const address = '/admin/mailer/api/suppressions/export'
  t.equal(
    (await app.inject(`${address}?email=B@example.test`)).body.trimEnd().split('\n').length,
    1
  )
  t.equal(
    (await app.inject(`${address}?email=A@example.test`)).body.trimEnd().split('\n').length,
    2
  )
  t.equal((await call('GET', '/audit?action=suppression.export')).body.length, 3)
  for (const wrong of ['scope=none', 'reason=none', 'emial=a@example.test'])
    t.match((await app.inject(`${address}?${wrong}`)).json(), {
      error: 'validation_failed',
      fields: [{ path: wrong.split('=')[0] }]
    })
})

test('of a file that is too large the rows before the limit are taken', async (t) => {
  const { call, app } = await openAdmin(t)
  const megabyte = 'x'.repeat(1024 * 1024)
  const pieces = ['email\na@example.test\n', ...Array.from({ length: 64 }, () => megabyte)]
  const payload = Readable.from(pieces.map((piece) => Buffer.from(piece)))
  const url = '/admin/mailer/api/suppressions/import'
  const headers = { 'content-type': 'text/csv' }
  const reply = await app.inject({ method: 'POST', url, payload, headers })
  t.match([reply.statusCode, reply.json()], [413, { error: 'too_large', message: /64 MB/ }])
  t.match((await call('GET', '/suppressions')).body, [{ email: 'a@example.test' }])
})

test('an entry of the audit log shows what it changed, and the log is cut by time', async (t) => {
  const { call, clock } = await openAdmin(t)
  await call('POST', '/templates', { slug: 'notice', name: 'Notice', kind: 'transactional' })
  await call('PATCH', '/templates/notice/draft', { subject: 'Hello' })
  const [{ _id }] = (await call('GET', '/audit?action=template.draft.update')).body
  t.match((await call('GET', `/audit/${_id}`)).body, {
    action: 'template.draft.update',
    changes: [{ field: 'subject', before: '', after: 'Hello' }]
  })
  t.equal((await call('GET', '/audit/none')).status, 404)
  const later = new Date(clock.now().getTime() + 60_000).toISOString()
  t.same((await call('GET', `/audit?from=${later}`)).body, [])
  t.equal((await call('GET', `/audit?to=${later}&resource=notice`)).body.length, 2)
  t.match(await call('GET', '/audit?from=yesterday'), { status: 400 })
})

test('a mail whose outcome is unknown is resolved by a person, with the request in the log', async (t) => {
  const { call, mailer, sendId } = await sendNotice(t)
  t.match((await call('GET', `/sends/${sendId}/rendered`)).body, { html: /Hello/, text: 'Hello' })
  t.equal((await call('GET', `/sends/${'f'.repeat(24)}/rendered`)).status, 404)
  const resolve = (verdict: unknown) => call('POST', `/sends/${sendId}/resolve`, { verdict })
  t.match(await resolve('sent'), { status: 409, body: { error: 'not_unknown' } })
  const unknown = { handoff: 'unknown', status: 'unknown', state: 'done' } as const
  await mailer.collections.sends.updateOne({ _id: sendId }, { $set: unknown })
  t.match((await call('GET', '/sends?status=unknown')).body, [{ _id: sendId }])
  t.match(await resolve('maybe'), { status: 400, body: { fields: [{ path: 'verdict' }] } })
  t.match(await resolve('sent'), { body: { ok: true, status: 'sent' } })
  t.match((await call('GET', '/audit?action=send.resolve')).body, [
    { before: { status: 'unknown' }, after: { verdict: 'sent' }, ip: '127.0.0.1' }
  ])
})

test('contacts are exported as their list has them, and the audit log says by which filter', async (t) => {
  const { app, call, mailer } = await openAdmin(t)
  await mailer.upsertSubscription({ externalId: 'c1', source: 'form' })
  const file = await app.inject('/admin/mailer/api/contact-list/export?state=subscribed')
  t.equal(file.statusCode, 200)
  t.match(file.headers, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="contacts.csv"',
    'cache-control': 'no-store'
  })
  const [head, ...lines] = file.payload.trim().split('\n')
  t.equal(head, 'externalId,email,state,subscribedAt,tags,timezone,locale')
  t.equal(lines.length, 1)
  t.match(lines[0], /^c1,c1@example\.test,subscribed,2/)
  const { body } = await call('GET', '/audit?action=contacts.export')
  t.match(body, [{ after: { state: 'subscribed' } }])
  const refused = await app.inject('/admin/mailer/api/contact-list/export?state=happy')
  t.match([refused.statusCode, refused.json()], [400, { error: 'validation_failed' }])
  t.equal((await call('GET', '/audit?action=contacts.export')).body.length, 1)
})

test('mails are listed by broadcast, flow, reason, domain and day, each and together', async (t) => {
  const { call, mailer } = await openAdmin(t)
  const { broadcasts, sends } = mailer.collections
  await broadcasts.insertOne({ _id: 'b1', slug: 'news' } as never)
  const mail = (number: number, more: object) => ({
    _id: number.toString(16).padStart(24, '0'),
    dedupeKey: `${number}`,
    kind: 'marketing',
    externalId: 'c1',
    emailAtSend: 'c1@one.test',
    toDomain: 'one.test',
    templateSlug: 'notice',
    status: 'sent',
    queuedAt: new Date(Date.UTC(2026, 0, number)),
    ...more
  })
  await sends.insertMany([
    mail(1, { broadcastId: 'b1', broadcastSlug: 'news' }),
    mail(2, { broadcastId: 'b1', broadcastSlug: 'news', exitReason: 'rejected' }),
    mail(3, { flowSlug: 'welcome', toDomain: 'two.test' }),
    mail(4, { flowSlug: 'welcome', exitReason: 'rejected' }),
    mail(5, { templateSlug: 'from-mail', from: { name: '', email: 'News@mail.one.test' } }),
    mail(6, {
      templateSlug: 'held',
      status: 'held',
      hold: { cause: 'c', message: 'm', since: new Date(), senderDomain: 'mail.one.test' }
    }),
    mail(7, { templateSlug: 'other', from: { name: '', email: 'news@mailxone.test' } })
  ] as never)
  const days = async (query: string) => {
    const { status, body } = await call('GET', `/sends?${query}`)
    if (status !== 200) return status
    return body.map(({ queuedAt }: { readonly queuedAt: string }) =>
      new Date(queuedAt).getUTCDate()
    )
  }
  t.same(await days('broadcast=news'), [2, 1])
  t.same(await days('broadcast=unknown'), [])
  t.same(await days('flow=welcome'), [4, 3])
  t.same(await days('reason=rejected'), [4, 2])
  t.same(await days('domain=TWO.test'), [3])
  t.same(await days('sender=Mail.one.test'), [6, 5])
  t.same(await days('sender=mail.one.test&status=held&provider=smtp'), [])
  t.same(await days('from=2026-01-02T00:00:00Z&to=2026-01-04T00:00:00Z'), [3, 2])
  t.same(await days('flow=welcome&reason=rejected&domain=one.test'), [4])
  t.equal(await days('from=yesterday'), 400)
})
