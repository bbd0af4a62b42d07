// Publishing: gates, versions, what senders read, and what is never half done.

import { test } from 'tap'
import type { PublishGate } from '../../contracts/mailer-publish-gate.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { RenderInput } from '../../ledger/prepared-template.ts'
import { testContext } from '../../test/test-context.ts'
import { publishRefusal } from './ask-publish-gates.ts'
import { changeDraft, createTemplate, deleteTemplate } from './edit-template.ts'
import { publishTemplate, rollbackTemplate } from './publish-template.ts'
import { createPublishedTemplates } from './published-templates.ts'
import {
  compiledChange,
  getTemplate,
  getVersion,
  listVersions,
  templateContent
} from './read-templates.ts'

const acting = { actor: 'human:ann@example.test' }
const contact = { externalId: 'c1', email: 'c1@example.test', tags: [], fields: {} }
const addresses = { unsubscribeUrl: null, preferencesUrl: null, viewInBrowserUrl: null }
const input: RenderInput = { contact, vars: {}, addresses }

async function drafted(
  context: MailerContext,
  change: object = { subject: 'One', html: '<p>one' }
) {
  await createTemplate(context, { slug: 'news', name: 'News', kind: 'marketing' }, acting)
  await changeDraft(context, 'news', change, acting)
}

async function subjectSent(context: MailerContext, templates = createPublishedTemplates(context)) {
  const result = (await templates.load(['news'])).get('news')?.render(input)
  return result?.ok === true ? result.mail.subject : undefined
}

test('a publish makes the draft the next version, for senders at once', async (t) => {
  const { context, commands } = await testContext(t)
  await drafted(context)
  const templates = createPublishedTemplates(context)
  t.equal((await templates.load(['news'])).size, 0)
  t.match(await publishTemplate(context, 'news', acting), { ok: true, version: 1, warnings: [] })
  t.equal(await subjectSent(context, templates), 'One')
  commands()
  t.equal(await subjectSent(context, templates), 'One')
  t.same(commands(), ['find'], 'a version in memory is not read again')
  await changeDraft(context, 'news', { subject: 'Two' }, acting)
  t.equal(await subjectSent(context, templates), 'One')
  t.match(await publishTemplate(context, 'news', acting), { ok: true, version: 2 })
  t.equal(await subjectSent(context, templates), 'Two')
  t.match(await getTemplate(context, 'news'), {
    version: 2,
    draft: null,
    publishedBy: acting.actor
  })
  const [audited] = await context.collections.auditLog
    .find({ action: 'template.publish' })
    .sort({ at: -1 })
    .toArray()
  t.match(audited, { after: { version: 2 }, before: { version: 1 } })
})

test('what cannot be compiled, sent from its domain or found is not published', async (t) => {
  const senderDomains = { 'acme.test': { kind: 'both' } } as const
  const { context } = await testContext(t, { config: { senderDomains } })
  await drafted(context, { html: '<p>{{#if a}}', fromEmail: 'a@acme.test' })
  t.match(await publishTemplate(context, 'news', acting), { ok: false, code: 'compile_failed' })
  t.match(await publishTemplate(context, 'none', acting), { ok: false, code: 'not_found' })
  const stricter = {
    ...context,
    config: { ...context.config, senderDomains: { 'b.test': { kind: 'both' } } }
  }
  const refused = await publishTemplate(stricter as MailerContext, 'news', acting)
  t.match(refused, { ok: false, code: 'sender_domain_invalid', reason: 'domain_unknown' })
  t.match(await getTemplate(context, 'news'), { version: 0 })
})

test('the first gate that refuses wins, and sees the compiled draft', async (t) => {
  const seen: unknown[] = []
  const gates: PublishGate[] = [
    {
      name: 'lint',
      check(template, { actor, options }) {
        seen.push(template.html, template.version, actor, options)
        return template.subject === 'Bad'
          ? { error: 'lint_failed', message: 'Bad subject', lint: {} }
          : null
      },
      report: () => ({ lint: { errors: [] } })
    },
    { name: 'second', check: () => null, report: () => Promise.reject(new Error('broken')) }
  ]
  const { context, logged } = await testContext(t, { extensions: { publishGates: () => gates } })
  await drafted(context, { subject: 'Bad', html: '<p>x' })
  const refused = await publishTemplate(context, 'news', { ...acting, options: { bypass: true } })
  const refusal = { error: 'lint_failed', message: 'Bad subject', lint: {} }
  t.same(refused, { ok: false, code: 'gate_refused', message: 'Bad subject', refusal })
  t.same(seen, ['<p>x', 'draft', acting.actor, { bypass: true }])
  await changeDraft(context, 'news', { subject: 'Good' }, acting)
  const published = await publishTemplate(context, 'news', acting)
  t.match(published, { ok: true, version: 1, reports: { lint: { errors: [] } } })
  t.match(logged, [{ level: 'error', fields: { gate: 'second' } }])
})

test('a gate that throws or never answers refuses', async (t) => {
  const throwing: PublishGate = {
    name: 'broken',
    check() {
      throw new Error('no network')
    }
  }
  let aborted: AbortSignal | undefined
  const silent: PublishGate = {
    name: 'silent',
    check: (_template, { signal }) => {
      aborted = signal
      return new Promise(() => {})
    }
  }
  let gates = [throwing]
  const { context } = await testContext(t, { extensions: { publishGates: () => gates } })
  await drafted(context)
  const refused = await publishTemplate(context, 'news', acting)
  const message = 'The gate broken failed: no network'
  t.match(refused, { ok: false, refusal: { error: 'gate_failed', gate: 'broken', message } })
  gates = [silent]
  const template = await templateContent(context, 'news', 'draft')
  if (template === null) throw new Error('there is no content')
  const gated = { template, ...acting, options: {}, timeoutMs: 1 }
  t.match(await publishRefusal(context, gated), { error: 'gate_failed', message: /did not answer/ })
  t.equal(aborted?.aborted, true)
  t.match(await getTemplate(context, 'news'), { version: 0 })
})

test('a draft that changes while it is published is not lost', async (t) => {
  let change = async () => {}
  const gate: PublishGate = { name: 'slow', check: () => change().then(() => null) }
  const { context } = await testContext(t, { extensions: { publishGates: () => [gate] } })
  await drafted(context)
  change = async () => void (await changeDraft(context, 'news', { subject: 'Meanwhile' }, acting))
  t.match(await publishTemplate(context, 'news', acting), { ok: false, code: 'conflict' })
  t.match(await getTemplate(context, 'news'), { version: 0, draft: { subject: 'Meanwhile' } })
  t.same(await listVersions(context, 'news'), [])
})

test('publishes at the same moment make one version', async (t) => {
  const { context } = await testContext(t)
  await drafted(context)
  const results = await Promise.all([1, 2, 3].map(() => publishTemplate(context, 'news', acting)))
  for (const result of results) t.match(result, result.ok ? { version: 1 } : { code: 'conflict' })
  t.ok(results.some(({ ok }) => ok))
  t.match(await listVersions(context, 'news'), [{ version: 1 }])
})

test('a publish without changes makes no version, and drops a draft that is what is live', async (t) => {
  const { context } = await testContext(t)
  await drafted(context)
  await publishTemplate(context, 'news', acting)
  t.match(await publishTemplate(context, 'news', acting), { ok: true, version: 1 })
  await changeDraft(context, 'news', { subject: 'Two' }, acting)
  await changeDraft(context, 'news', { subject: 'One' }, acting)
  t.match(await getTemplate(context, 'news'), { draft: null }, 'the change was taken back')
  await changeDraft(context, 'news', { notes: 'later' }, acting)
  t.match(await publishTemplate(context, 'news', acting), { ok: true, version: 1 })
  t.match(await getTemplate(context, 'news'), { version: 1, draft: null })
  t.equal((await listVersions(context, 'news')).length, 1)
})

test('a publish whose transaction fails leaves no version and no pointer', async (t) => {
  const { context } = await testContext(t)
  await drafted(context)
  const failing: MailerContext = {
    ...context,
    withTransaction: (fn) =>
      context.withTransaction(async (session) => {
        await fn(session)
        throw new Error('the database is gone')
      })
  }
  await t.rejects(publishTemplate(failing, 'news', acting), /gone/)
  t.equal(await getVersion(context, 'news', 1), null)
  t.match(await getTemplate(context, 'news'), { version: 0, draft: { subject: 'One' } })
  t.match(await publishTemplate(context, 'news', acting), { ok: true, version: 1 })
})

test('a rollback publishes an earlier version once more, and keeps the draft', async (t) => {
  const { context } = await testContext(t)
  await drafted(context)
  await publishTemplate(context, 'news', acting)
  await changeDraft(context, 'news', { subject: 'Two' }, acting)
  await publishTemplate(context, 'news', acting)
  await changeDraft(context, 'news', { subject: 'Three' }, acting)
  t.match(await rollbackTemplate(context, 'news', 1, acting), { ok: true, version: 3 })
  t.equal(await subjectSent(context), 'One')
  t.match(await getTemplate(context, 'news'), {
    version: 3,
    subject: 'One',
    draft: { subject: 'Three' }
  })
  const versions = await listVersions(context, 'news')
  t.same(
    versions.map(({ version, subject }) => [version, subject]),
    [
      [3, 'One'],
      [2, 'Two'],
      [1, 'One']
    ]
  )
  t.same(
    (await listVersions(context, 'news', { before: 2 })).map(({ version }) => version),
    [1]
  )
  t.match(await rollbackTemplate(context, 'news', 9, acting), { code: 'version_not_found' })
  t.match(await rollbackTemplate(context, 'none', 1, acting), { code: 'not_found' })
})

test('a template that was deleted and made again is read anew', async (t) => {
  const { context } = await testContext(t)
  await drafted(context)
  await publishTemplate(context, 'news', acting)
  const templates = createPublishedTemplates(context)
  t.equal(await subjectSent(context, templates), 'One')
  await deleteTemplate(context, 'news', acting)
  t.equal(await subjectSent(context, templates), undefined)
  await drafted(context, { subject: 'Anew', html: '<p>' })
  await publishTemplate(context, 'news', acting)
  t.equal(await subjectSent(context, templates), 'Anew')
})

test('a version whose helper this process lacks is logged and missing; others are read', async (t) => {
  const { context, logged } = await testContext(t, {
    config: { handlebarsHelpers: { shout: String } }
  })
  await drafted(context, { subject: '{{shout "x"}}' })
  await publishTemplate(context, 'news', acting)
  await createTemplate(context, { slug: 'other', name: 'Other', kind: 'marketing' }, acting)
  await publishTemplate(context, 'other', acting)
  const { handlebarsHelpers: _helpers, ...config } = context.config
  const templates = createPublishedTemplates({ ...context, config })
  t.same([...(await templates.load(['news', 'other', 'none'])).keys()], ['other'])
  t.match(logged, [{ level: 'error', fields: { slug: 'news' } }])
})

test('content is that of the draft or of what is published', async (t) => {
  const { context } = await testContext(t)
  t.equal(await templateContent(context, 'news', 'draft'), null)
  await drafted(context, { subject: 'One', html: '<p>{{vars.a}}', plainText: '' })
  t.equal(await templateContent(context, 'news', 'published'), null)
  await publishTemplate(context, 'news', acting)
  const published = await templateContent(context, 'news', 'published')
  t.match(published, {
    version: 'published',
    subject: 'One',
    html: '<p>{{vars.a}}',
    text: '{{vars.a}}',
    source: { html: '<p>{{vars.a}}', mjml: null, editorJson: null }
  })
  const same = await templateContent(context, 'news', 'draft')
  t.match(same, { version: 'draft', bodyHash: published?.bodyHash })
  await changeDraft(context, 'news', { subject: 'Two', html: '<p>{{#if}}' }, acting)
  await t.rejects(templateContent(context, 'news', 'draft'), { code: 'MLR_TEMPLATE_MALFORMED' })
  t.match(await templateContent(context, 'news', 'published'), { subject: 'One' })
})

test('unsaved changes are compiled on top of the draft, and not stored', async (t) => {
  const { context } = await testContext(t)
  t.equal(await compiledChange(context, 'news', {}), null)
  const variablesSchema = { name: { type: 'string' } }
  await drafted(context, { subject: 'One', html: '<p>one', variablesSchema })
  t.match(await compiledChange(context, 'news', { subject: 'Two', fromEmail: 'a@b.test' }), {
    compileError: null,
    template: {
      version: 'draft',
      subject: 'Two',
      fromEmail: 'a@b.test',
      html: '<p>one',
      variables: ['name']
    }
  })
  const mjml = '<mjml><mj-body><mj-text>two</mj-text></mj-body></mjml>'
  t.match(await compiledChange(context, 'news', { mjml }), {
    template: { html: /two/, text: /two/, source: { mjml, html: null } }
  })
  t.match(await compiledChange(context, 'news', { html: '<p>{{#if a}}' }), {
    compileError: /if/,
    template: { subject: 'One', html: '', text: '', source: { html: '<p>{{#if a}}' } }
  })
  t.match(await getTemplate(context, 'news'), { draft: { subject: 'One' } })
})
