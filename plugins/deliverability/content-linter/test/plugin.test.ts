// The plugin beside a stand-in for the mailer: gate, report, verification, route, rules of others.

import type { TemplateContent } from '@keelson/mailer/contracts'
import { createMailerStandIn } from '@keelson/mailer/testing'
import { definePlugin } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { type LintRule, lintRule } from '../contracts.ts'
import plugin from '../plugin.ts'

const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
const GOOD =
  '<html><body><p>This is a calm paragraph with enough words. {{senderAddress}} <a href="{{unsubscribeUrl}}">Leave</a></p></body></html>'
const BAD = '<html><body><p>This is a calm paragraph with enough words.</p></body></html>'

const template = (html: string, more: Partial<TemplateContent> = {}): TemplateContent => ({
  slug: 'news',
  name: 'News',
  kind: 'marketing',
  version: 'draft',
  subject: 'Your news',
  preheader: 'What is new',
  fromName: 'Acme',
  fromEmail: 'hello@acme.test',
  replyTo: null,
  html,
  text: 'This is a calm paragraph.',
  bodyFormat: 'multipart',
  source: { html, mjml: null, editorJson: null },
  bodyHash: '0'.repeat(64),
  tags: [],
  ...more
})

const contributor = (...rules: readonly LintRule[]) =>
  definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'house-rules',
      name: 'House rules',
      version: '1.0.0',
      kernel: '*',
      description: 'Rules of a house.',
      license: 'MIT',
      uses: [lintRule.id]
    },
    register(host) {
      for (const rule of rules) host.extend(lintRule, rule)
    }
  })

async function open(t: Test, config = {}, rules: readonly LintRule[] = []) {
  const mailer = createMailerStandIn({
    senderDomains: [{ domain: 'acme.test', kind: 'both' }],
    templates: [template(GOOD)]
  })
  const plugins = [mailer.plugin, ...(rules.length > 0 ? [contributor(...rules)] : [])]
  const host = await createTestHost({
    plugin,
    plugins,
    viewer,
    config: { adminTenants: ['acme'], ...config }
  })
  t.teardown(() => host.close())
  const lint = async (slug: string, payload: object) => {
    const url = `/admin/mailer/api/templates/${slug}/lint`
    const answer = await host.app.inject({ method: 'POST', url, payload })
    return { status: answer.statusCode, json: answer.json() }
  }
  return { host, mailer, lint }
}

test('errors keep a template from being published; the answer of a publish has the rest', async (t) => {
  const { mailer } = await open(t)
  t.match(await mailer.askPublishGates(template(BAD)), {
    error: 'lint_failed',
    message: 'Add an unsubscribe link. The law and Gmail require one.',
    lint: { errors: [{ rule: 'missing_unsubscribe_tag', severity: 'error' }], compileFailed: false }
  })
  const warned = template(GOOD, { subject: 'a'.repeat(61) })
  t.equal(await mailer.askPublishGates(warned), null)
  t.match(await mailer.publishReport(warned), {
    lint: { errors: [], warnings: [{ rule: 'subject_too_long' }] }
  })
})

test('the route lints what is not saved, on top of the draft', async (t) => {
  const { lint } = await open(t)
  t.match(await lint('news', {}), { status: 200, json: { errors: [], compileFailed: false } })
  t.match((await lint('news', { html: BAD })).json.errors, [{ rule: 'missing_unsubscribe_tag' }])
  t.same((await lint('news', { html: BAD, kind: 'transactional' })).json.errors, [])
  t.match((await lint('news', { fromEmail: 'a@else.test' })).json.errors, [
    { rule: 'sender_domain_invalid', hint: /acme\.test \(both\)/ }
  ])
  t.match(await lint('none', {}), { status: 404, json: { error: 'not_found' } })
  t.match(await lint('news', { subject: 5 }), { status: 400 })
})

test('a verification fails with an error, and warns with a warning', async (t) => {
  const { mailer } = await open(t)
  const verify = async (content: TemplateContent) => {
    const contact = { externalId: 'c1', email: 'a@b.test', tags: [], fields: {} }
    return mailer.verify({ template: content, contact, rendered: null, vars: {} })
  }
  t.match(await verify(template(GOOD)), [{ id: 'lint', status: 'pass' }])
  t.match(await verify(template(BAD)), [
    { id: 'lint', status: 'fail', fix: /unsubscribeUrl/, detail: { errors: { length: 1 } } }
  ])
  t.match(await verify(template(GOOD, { subject: 'BIG SALE' })), [{ status: 'warn' }])
})

test('rules of other plugins are asked, and severities may be changed', async (t) => {
  const rule: LintRule = {
    id: 'no_monday',
    severity: 'error',
    check: ({ subject }) => (subject.includes('Monday') ? [{ message: 'Not on Mondays.' }] : [])
  }
  const strict = await open(t, {}, [rule])
  t.match((await strict.lint('news', { subject: 'Monday' })).json.errors, [{ rule: 'no_monday' }])
  const lenient = await open(t, { severities: { no_monday: 'info', empty_preheader: 'off' } }, [
    rule
  ])
  const { errors, infos } = (await lenient.lint('news', { subject: 'Monday', preheader: '' })).json
  t.same(errors, [])
  t.match(infos, [{ rule: 'no_monday' }])
  t.equal(infos.length, 1)
})

test('a rule id that is taken or unknown is refused at start', async (t) => {
  const taken: LintRule = { id: 'bare_url', severity: 'info', check: () => [] }
  await t.rejects(open(t, {}, [taken]), { code: 'LNT_RULE_TAKEN', message: /bare_url/ })
  await t.rejects(open(t, { severities: { bare_ulr: 'off' } }), {
    code: 'LNT_RULE_UNKNOWN',
    message: /bare_ulr.*bare_url/
  })
})
