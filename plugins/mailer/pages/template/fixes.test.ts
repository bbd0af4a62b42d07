// Fixes of findings: what they write, and that the linter is content with it.
import { test } from 'tap'
import { type Fields, fieldsOf, type TemplateAnswer } from './answers.ts'
import type { Finding } from './findings.ts'
import { fixOf } from './fixes.ts'

const MJML = `<mjml>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text><a href="http://acme.test/">Words</a></mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`
const HTML = '<html><body><p>Words</p></body></html>'

const fields = (over: Partial<Fields>): Fields => ({
  ...fieldsOf({
    draft: null,
    body: { mjml: '', html: '' },
    variablesSchema: {}
  } as unknown as TemplateAnswer),
  ...over
})
const finding = (rule: string, message = ''): Finding => ({
  severity: 'error',
  rule,
  message,
  hint: ''
})
const fix = (rule: string, over: Partial<Fields>, message = '') =>
  fixOf(finding(rule, message), {
    fields: fields(over),
    language: over.html === undefined ? 'mjml' : 'html',
    unsubscribe: 'Unsubscribe'
  })

test('an unsubscribe link and a postal address become one foot of an MJML mail', async (t) => {
  const linked = fix('missing_unsubscribe_tag', { mjml: MJML })?.changes.mjml ?? ''
  t.match(linked, /<a href="\{\{unsubscribeUrl\}\}">Unsubscribe<\/a>/)
  t.match(linked, /<\/mj-section>\n {2}<\/mj-body>\n<\/mjml>/)
  const both = fix('missing_sender_address', { mjml: linked })?.changes.mjml ?? ''
  t.match(both, /\{\{senderAddress\}\}<\/mj-text>\n {8}<mj-text [^>]*><a href="\{\{unsubscribeUrl/)
  t.equal(both.split('<mj-section>').length, 3, 'no second section')
})

test('in HTML they are written before the end of the body', async (t) => {
  const { html = '' } = fix('missing_sender_address', { html: HTML })?.changes ?? {}
  t.match(html, /<p[^>]*>\{\{senderAddress\}\}<\/p>\n<\/body>/)
  t.match(fix('missing_sender_address', { html: 'Words' })?.changes.html, /^Words<p/)
})

test('insecure links are made secure; words and pictures stay', async (t) => {
  const mjml = `${MJML}<mj-image src="http://acme.test/a.png" /> http://acme.test/`
  const { changes } = fix('insecure_link', { mjml }) ?? {}
  t.equal(changes?.mjml, mjml.replace('href="http:', 'href="https:'))
})

test('a variable is declared, and a mail says that it knows dark mode', async (t) => {
  const declared = fix(
    'unknown_variable',
    { mjml: MJML, variablesSchema: { a: { type: 'number' } } },
    'The variable vars.code is not declared.'
  )
  t.same(declared?.changes.variablesSchema, { a: { type: 'number' }, code: { type: 'string' } })
  const meta = '<meta name="color-scheme" content="light dark">'
  t.match(
    fix('dark_mode', { mjml: MJML })?.changes.mjml,
    `<mjml>\n  <mj-head><mj-raw>${meta}</mj-raw></mj-head>`
  )
  t.match(fix('dark_mode', { html: HTML })?.changes.html, `<head>${meta}</head>`)
  t.match(
    fix('dark_mode', { html: '<head><title>a</title></head>' })?.changes.html,
    `<head>\n  ${meta}<title>`
  )
})

test('what a person must decide has no fix, and neither has a source without a place for it', async (t) => {
  for (const rule of ['url_shortener', 'image_missing_alt', 'placeholder_text', 'spam_phrases'])
    t.equal(fix(rule, { mjml: MJML }), undefined, rule)
  t.equal(fix('missing_unsubscribe_tag', { mjml: '<mjml>' }), undefined)
  t.equal(fix('missing_unsubscribe_tag', { mjml: '' }), undefined)
  t.equal(fix('insecure_link', { mjml: '<mjml></mjml>' }), undefined)
})
