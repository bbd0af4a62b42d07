// Verification over HTTP: one template for one contact, and many for several.
import { systemActor } from '@keelson/sdk'
import { test } from 'tap'
import { agentApp, receipt } from './agent-app.ts'

const idsOf = (body: { checks: { id: string }[] }) => body.checks.map(({ id }) => id)

test('a good template is verified with sizes in place of bodies', async (t) => {
  const { call } = await agentApp(t)
  await call('PUT', '/templates/receipt', receipt())
  const { status, body } = await call('POST', '/templates/receipt/verify', { contactId: 't1' })
  t.equal(status, 200)
  t.match(body, { ok: true, contact: { externalId: 't1' }, rendered: { htmlBytes: Number } })
  t.ok(
    ['published', 'vars_resolved', 'render', 'from_domain'].every((id) => idsOf(body).includes(id))
  )
  t.equal(body.rendered.html, undefined)
  const whole = { contactId: 't1', includeRendered: true }
  const full = await call('POST', '/templates/receipt/verify', whole)
  t.match(full.body.rendered, { html: /t1@example\.test/, plainText: /./ })
})

test('a template that was never published fails published', async (t) => {
  const { call } = await agentApp(t)
  await call('POST', '/api/templates', { slug: 'draft', name: 'Draft', kind: 'marketing' })
  const { body } = await call('POST', '/templates/draft/verify', { contactId: 't1' })
  t.match(body, { ok: false, checks: [{ id: 'published', status: 'fail' }], rendered: null })
})

test('verify-all answers a line for each template and contact', async (t) => {
  const { call } = await agentApp(t)
  await call('PUT', '/templates/good', receipt())
  await call('PUT', '/templates/bad', receipt({ body: { html: '<p>{{vars.gone}}</p>' } }))
  const { body } = await call('POST', '/templates/verify-all', { contactIds: ['t1', 't2'] })
  t.match(body, { ok: false, templates: 2, contacts: 2, verified: 4, failing: 2 })
  const bad = body.results.filter(({ slug }: { slug: string }) => slug === 'bad')
  t.match(bad, [{ ok: false, failed: ['unknown_variables'] }, { ok: false }])
  t.equal((await call('POST', '/templates/verify-all', {})).status, 400)
})

test('variables of the host that cannot be resolved fail vars_resolved', async (t) => {
  const varsAdapter = {
    resolve: async () => {
      throw new Error('the shop is down')
    }
  }
  const { call } = await agentApp(t, { config: { varsAdapter } as never })
  await call('PUT', '/templates/receipt', receipt())
  const { body } = await call('POST', '/templates/receipt/verify', { contactId: 't1' })
  t.match(body, { ok: false, rendered: null })
  t.match(
    body.checks.find(({ id }: { id: string }) => id === 'vars_resolved'),
    { status: 'fail' }
  )
})

test('a From domain that was taken off the list fails from_domain', async (t) => {
  const { call, mailer } = await agentApp(t)
  await call('PUT', '/templates/receipt', receipt())
  const { templates } = mailer.getRunnerContext().collections
  await templates.updateOne({ slug: 'receipt' }, { $set: { fromEmail: 'hello@gone.test' } })
  const { body } = await call('POST', '/templates/receipt/verify', { contactId: 't1' })
  t.equal(body.ok, false)
  t.match(
    body.checks.find(({ id }: { id: string }) => id === 'from_domain'),
    { status: 'fail' }
  )
})

test('a version that cannot be prepared fails render', async (t) => {
  const { call, mailer } = await agentApp(t)
  await call('PUT', '/templates/receipt', receipt())
  const { templateVersions } = mailer.getRunnerContext().collections
  const compiledHtml = '<p>{{helperOfAnotherProcess contact.email}}</p>'
  await templateVersions.updateOne({ _id: 'receipt:1' }, { $set: { compiledHtml } })
  const { status, body } = await call('POST', '/templates/receipt/verify', { contactId: 't1' })
  t.equal(status, 200)
  t.match(body, { ok: false, rendered: null, contact: { externalId: 't1' } })
  const last = body.checks.at(-1)
  t.match(last, { id: 'render', status: 'fail', message: /helperOfAnotherProcess/ })
})

test('a template is read once, however many contacts it is verified for', async (t) => {
  const { call, mailer, seams } = await agentApp(t)
  await call('PUT', '/templates/receipt', receipt())
  const work = seams.workbench.as(systemActor('test'))
  const opened = await work.verification('receipt')
  if (!opened.ok) throw new Error(opened.message)
  await mailer.getRunnerContext().collections.templateVersions.deleteMany({})
  for (const contactId of ['t1', 't2']) {
    const contact = await work.contact(contactId)
    if (contact === null) throw new Error('no contact')
    const verified = await opened.for({ contact, contactId })
    if (!verified.ok) throw new Error(verified.message)
    t.match(verified.mail?.html, contact.email)
    t.ok(verified.checks.every(({ status }) => status !== 'fail'))
  }
})
