// The look of a sender: what it writes into templates, and who sets it.
import { test } from 'tap'
import type { TemplateFields } from '../../ledger/template-rows.ts'
import { openAdmin } from '../../test/open-admin.ts'
import { compileBody } from '../templates/compile-body.ts'
import { brandedFields, DEFAULT_BRAND, usesBrand } from './brand-slots.ts'

const MJML = `<mjml><mj-body background-color="{{brand.background}}">{{> brandHeader}}
<mj-section><mj-column><mj-text>{{brand.unknown}} {{contact.email}}</mj-text></mj-column></mj-section>
{{> brandFooter}}</mj-body></mjml>`
const fields = (
  over: Partial<TemplateFields['body']>,
  kind: TemplateFields['kind'] = 'marketing'
) =>
  ({
    kind,
    body: { html: '', mjml: '', plainText: '', editorJson: null, ...over }
  }) as TemplateFields
const brand = { ...DEFAULT_BRAND, name: 'Acme & <b>', footer: 'Acme <Ltd>\n{{senderAddress}}' }

test('values and parts of the look are written before MJML is compiled', async (t) => {
  const { body } = brandedFields(fields({ mjml: MJML }), brand)
  t.notMatch(body.mjml, /\{\{>|brand\.(?!unknown)/)
  t.match(body.mjml, /background-color="#f1f3f6"/)
  t.match(body.mjml, /Acme &amp; &lt;b&gt;/)
  t.match(body.mjml, /Acme &lt;Ltd&gt;<br \/>\{\{senderAddress\}\}/)
  t.match(body.mjml, /<a href="\{\{unsubscribeUrl\}\}"[^>]*>Unsubscribe<\/a>/)
  t.match(body.mjml, /\{\{brand\.unknown\}\} \{\{contact\.email\}\}/, 'other slots stay')
  const { mjml: source, plainText } = body
  t.match(await compileBody({ format: 'mjml', source, plainText }), { ok: true, warnings: [] })
})

test('transactional mail has no way to leave, and a logo takes the place of the name', async (t) => {
  const logo = { ...brand, logoUrl: 'https://acme.test/logo.png', logoWidth: 90 }
  const { body } = brandedFields(fields({ mjml: MJML }, 'transactional'), logo)
  t.notMatch(body.mjml, /unsubscribeUrl/)
  t.match(body.mjml, /<mj-image src="https:\/\/acme.test\/logo.png" alt="Acme[^"]*" width="90px"/)
  const html = brandedFields(fields({ html: '{{> brandHeader}}<p>Hi</p>{{> brandFooter}}' }), logo)
  t.match(html.body.html, /^<p><img [^>]*width="90" \/><\/p><p>Hi<\/p><p style=/)
})

test('a template that asks for no look is left as it is', async (t) => {
  t.notOk(usesBrand(fields({ html: '<p>{{contact.brand.name}} {{brands}}</p>' })))
  t.ok(usesBrand(fields({ html: '<p style="color:{{ brand.ink }}">' })))
})

test('a look is set once per sender, checked, audited, and taken over by a publish', async (t) => {
  const senderDomains = {
    'acme.test': { kind: 'both' },
    'news.test': { kind: 'marketing' }
  } as const
  const fromDefaults = { name: 'Acme', email: 'hello@acme.test' }
  const { call, mailer } = await openAdmin(t, undefined, undefined, { senderDomains, fromDefaults })
  const before = await call('GET', '/brands')
  t.match(before.body, [
    { sender: 'default', isOwn: false, brand: { name: 'Acme' } },
    { sender: 'acme.test', isOwn: false },
    { sender: 'news.test', isOwn: false }
  ])
  const put = (sender: string, body: object) => call('PUT' as 'POST', `/brands/${sender}`, body)
  t.equal((await put('default', { ...brand, accent: '#112233' })).status, 200)
  t.equal((await put('news.test', { ...brand, accent: '#445566' })).status, 200)
  t.equal((await put('other.test', brand)).status, 404)
  for (const wrong of [
    { accent: 'red' },
    { logoUrl: 'javascript:alert(1)' },
    { font: 'a;}' },
    { more: 1 }
  ])
    t.equal((await put('default', { ...brand, ...wrong })).status, 400)
  await call('POST', '/templates', { slug: 'a', name: 'A', kind: 'transactional' })
  const html = '<p style="color:{{brand.accent}}">{{vars.code}}</p>{{> brandFooter}}'
  await call('PATCH', '/templates/a/draft', { html, subject: 'A' })
  const shown = async (body: object) => (await call('POST', '/templates/a/preview', body)).body.html
  t.match(await shown({}), /color: ?#112233/)
  t.match(await shown({ kind: 'marketing', fromEmail: 'a@news.test' }), /color: ?#445566/)
  const check = await call('POST', '/templates/a/check', {})
  t.match(
    check.body.variables.map(({ path }: { path: string }) => path),
    ['vars.code', 'senderAddress']
  )
  await call('POST', '/templates/a/publish', {})
  await put('default', { ...brand, accent: '#778899' })
  t.match(
    await shown({ useDraft: false }),
    /color: ?#112233/,
    'a version stays as it was published'
  )
  t.equal(await mailer.collections.auditLog.countDocuments({ action: 'brand.update' }), 3)
})
