// Previews: whose data they show, what they render, and each way in which they fail.
import { test } from 'tap'
import { isPreview, readUnsubscribe } from '../../audience/contacts/unsubscribe-token.ts'
import { resolveVariables } from '../../delivery/sends/resolve-variables.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { VarsRequest } from '../../ledger/host-code.ts'
import { type TestContextOptions, testContext } from '../../test/test-context.ts'
import { changeDraft, createTemplate } from './edit-template.ts'
import { type PreviewRequest, previewTemplate } from './preview-template.ts'
import { publishTemplate } from './publish-template.ts'
import { templateContent } from './read-templates.ts'

const acting = { actor: 'human:ann@example.test' }
const ann = { externalId: 'c1', email: 'ann@example.test', tags: [], fields: { name: 'Ann' } }
const html = '<p>{{contact.email}} {{vars.code}} {{event.plan}} {{shop.name}}</p>'

async function withTemplate(
  t: Parameters<typeof testContext>[0],
  options: TestContextOptions = {},
  kind: 'marketing' | 'transactional' = 'marketing'
) {
  const { context } = await testContext(t, { contacts: [ann], ...options })
  await createTemplate(context, { slug: 'news', name: 'News', kind }, acting)
  const draft = { subject: 'For {{contact.email}}', preheader: '{{vars.code}}!', html }
  await changeDraft(context, 'news', draft, acting)
  return context
}

async function mailOf(context: MailerContext, request?: PreviewRequest) {
  const result = await previewTemplate(context, 'news', request)
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`)
  return result.mail
}

test('a preview shows the draft for a sample contact', async (t) => {
  const context = await withTemplate(t)
  const mail = await mailOf(context, { vars: { code: 'C<1' }, eventProperties: { plan: 'pro' } })
  t.match(mail, {
    subject: 'For sample@example.test',
    preheader: 'C<1!',
    html: /sample@example\.test C&lt;1 pro/,
    text: 'sample@example.test C<1 pro'
  })
  const sampleContact = { externalId: 's', email: 'other@example.test' }
  t.match(await mailOf(context, { sampleContact }), { subject: 'For other@example.test' })
})

test('a preview for a contact resolves the variables of the host', async (t) => {
  const asked: VarsRequest[] = []
  const varsAdapter = {
    schema: {},
    resolve(_contact: unknown, request: VarsRequest) {
      asked.push(request)
      return { shop: { name: 'Acme' }, contact: { email: 'never' } }
    }
  }
  const context = await withTemplate(t, { config: { varsAdapter } })
  const request = { contactId: 'c1', eventProperties: { plan: 'pro' } }
  t.match(await mailOf(context, request), { html: /ann@example\.test {2}pro Acme/ })
  await mailOf(context, { ...request, reason: 'test' })
  await mailOf(context)
  const base = { templateSlug: 'news', eventProperties: { plan: 'pro' } }
  t.same(asked, [
    { reason: 'preview', ...base },
    { reason: 'test', ...base }
  ])
})

test('a preview of what is published needs a published version', async (t) => {
  const context = await withTemplate(t)
  const refused = await previewTemplate(context, 'news', { useDraft: false })
  t.match(refused, { ok: false, code: 'not_published' })
  await publishTemplate(context, 'news', acting)
  await changeDraft(context, 'news', { subject: 'Changed' }, acting)
  t.match(await mailOf(context, { useDraft: false }), { subject: 'For sample@example.test' })
  t.match(await mailOf(context), { subject: 'Changed' })
  const other = { useDraft: false, subject: 'To {{contact.email}}' }
  t.match(await mailOf(context, other), { subject: 'To sample@example.test' })
})

test('unsaved content is rendered and not stored', async (t) => {
  const context = await withTemplate(t)
  await changeDraft(context, 'news', { mjml: 'not to be compiled' }, acting)
  t.match(await mailOf(context, { html: '<b>unsaved</b>' }), {
    html: /<b>unsaved/,
    text: 'unsaved'
  })
  t.match(await mailOf(context, { editorJson: { html: '<i>e' } }), { html: /<i>e/ })
  const row = await context.collections.templates.findOne({ slug: 'news' })
  t.equal(row?.draft?.body.html, html)
})

test('each way in which a preview fails has its code', async (t) => {
  const varsAdapter = { schema: {}, resolve: () => Promise.reject(new Error('host is down')) }
  const context = await withTemplate(t, { config: { varsAdapter } })
  const list = Array.from({ length: 1_000 }, () => 1)
  const loops = '{{#each vars.l}}{{#each @root.vars.l}}x{{/each}}{{/each}}'
  const cases: readonly (readonly [PreviewRequest, object])[] = [
    [{ contactId: 'none' }, { code: 'contact_not_found', contactId: 'none' }],
    [{ contactId: 'c1' }, { code: 'vars_resolve_failed', message: /host is down/ }],
    [{ html: '{{#if vars.open}}' }, { code: 'compile_failed' }],
    [
      { html: loops, vars: { l: list } },
      { code: 'compile_failed', message: /loops/ }
    ]
  ]
  for (const [request, expected] of cases) {
    t.match(await previewTemplate(context, 'news', request), { ok: false, ...expected })
  }
  t.match(await previewTemplate(context, 'none'), { ok: false, code: 'not_found' })
})

test('a preview renders without variables that are required', async (t) => {
  const context = await withTemplate(t)
  const variablesSchema = {
    code: { type: 'string', required: true },
    plan: { type: 'string', required: true, defaultValue: 'free' }
  } as const
  await changeDraft(
    context,
    'news',
    { variablesSchema, html: '[{{vars.code}}][{{vars.plan}}]' },
    acting
  )
  t.match(await mailOf(context), { html: /\[\]\[free\]/ })
})

test('a marketing preview carries an unsubscribe address that changes nothing, and no tracking', async (t) => {
  const context = await withTemplate(t)
  const source = '<a href="{{unsubscribeUrl}}">u</a><a href="https://x.test/">x</a>'
  const { unsubscribeSecret: secret, publicUrl } = context.config
  const tokenOf = (address: string | null) => address?.slice(`${publicUrl}/m/unsub/`.length) ?? ''
  const read = (token: string) => readUnsubscribe(token, secret, context.clock.now())
  const request = { contactId: 'c1', html: source }
  const { html: shown, unsubscribeUrl } = await mailOf(context, request)
  const token = tokenOf(unsubscribeUrl)
  t.equal(isPreview(token, secret), true)
  t.equal(read(token), undefined)
  const worksFor = (email: string) => email === ann.email
  const working = await mailOf(context, { ...request, worksFor })
  t.match(read(tokenOf(working.unsubscribeUrl)), { email: ann.email })
  t.match(shown, `<a href="${unsubscribeUrl}">u</a><a href="https://x.test/">x</a>`)
  t.notMatch(shown, /\/m\/(open|click)\//)
})

test('the sender that the template leaves empty is that of the defaults', async (t) => {
  const fromDefaults = { name: 'Acme', email: 'hello@acme.test' }
  const context = await withTemplate(t, { config: { fromDefaults } })
  await changeDraft(context, 'news', { fromName: 'Ann', fromEmail: '' }, acting)
  t.match(await mailOf(context), { fromName: 'Ann', fromEmail: 'hello@acme.test' })
  t.match(await templateContent(context, 'news', 'draft'), { fromEmail: 'hello@acme.test' })
})

test('a transactional preview has no unsubscribe address', async (t) => {
  const context = await withTemplate(t, {}, 'transactional')
  t.equal((await mailOf(context)).unsubscribeUrl, null)
})

test('variables of the host are an object, in time, without reserved roots', async (t) => {
  const { context } = await testContext(t)
  const request = { reason: 'send', templateSlug: 'news' } as const
  const resolved = (resolve: () => unknown, timeoutMs = 10_000) => {
    const config = {
      ...context.config,
      varsAdapter: { schema: {}, resolve: resolve as () => Record<string, unknown> }
    }
    return resolveVariables({ config }, ann, request, { timeoutMs })
  }
  t.same(await resolveVariables(context, ann, request), { ok: true, roots: {} })
  t.same(await resolved(() => ({ a: 1, vars: 1, unsubscribeUrl: 'x' })), {
    ok: true,
    roots: { a: 1 }
  })
  const failed = { ok: false, code: 'vars_resolve_failed' }
  t.match(await resolved(() => null), failed)
  t.match(
    await resolved(() => {
      throw new Error('x')
    }),
    failed
  )
  t.match(await resolved(() => new Promise(() => {}), 1), { ...failed, message: /did not answer/ })
})
