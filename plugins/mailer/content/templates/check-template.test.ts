// What publishing would answer, for an editor as its user types.

import { type Test, test } from 'tap'
import type { PublishGate } from '../../contracts/mailer-publish-gate.ts'
import { testContext } from '../../test/test-context.ts'
import { checkTemplate, variablesOf } from './check-template.ts'
import { changeDraft, createTemplate } from './edit-template.ts'
import { getTemplate } from './read-templates.ts'

const by = { actor: 'human:ann' }
const gate: PublishGate = {
  name: 'words',
  check: ({ subject }) =>
    subject.includes('FREE')
      ? { error: 'lint_failed', message: 'No FREE.', lint: [subject] }
      : null,
  report: ({ html }) => ({ lint: { length: html.length } })
}

async function open(t: Test) {
  const config = { fromDefaults: { name: 'Acme', email: 'hello@acme.test' } }
  const { context } = await testContext(t, { config, extensions: { publishGates: () => [gate] } })
  await createTemplate(context, { slug: 'notice', name: 'Notice', kind: 'transactional' }, by)
  await changeDraft(context, 'notice', { subject: 'Hi', html: '<p>{{vars.code}}</p>' }, by)
  return { context, check: (change = {}) => checkTemplate(context, 'notice', change, by) }
}

test('a draft that may be published shows what its gates report', async (t) => {
  const { check } = await open(t)
  t.match(await check(), { ok: true, refusal: null, reports: { lint: { length: Number } } })
})

test('changes that are not saved are checked, and stay unsaved', async (t) => {
  const { context, check } = await open(t)
  const before = await getTemplate(context, 'notice')
  const refusal = { error: 'lint_failed', message: 'No FREE.', lint: ['FREE'] }
  t.match(await check({ subject: 'FREE' }), { ok: true, refusal })
  t.match(await check({ html: '<p>{{#if vars.a}}</p>' }), { refusal: { error: 'compile_failed' } })
  t.match(await check({ fromEmail: 'no address' }), { refusal: { error: String } })
  t.strictSame(await getTemplate(context, 'notice'), before)
  t.match(await checkTemplate(context, 'none', {}, by), { ok: false, code: 'not_found' })
})

test('variables are those that are used and those that are declared', async (t) => {
  const spec = { type: 'string' } as const
  const body = { html: '<p>{{vars.code}}</p>', plainText: '', mjml: '', editorJson: null }
  const variablesSchema = { code: spec, unused: spec }
  const template = { subject: 'Hi {{contact.fields.name}}', preheader: '', body, variablesSchema }
  t.strictSame(variablesOf(template), [
    { path: 'contact.fields.name', isUsed: true },
    { path: 'vars.code', isUsed: true, spec },
    { path: 'vars.unused', isUsed: false, spec }
  ])
})
