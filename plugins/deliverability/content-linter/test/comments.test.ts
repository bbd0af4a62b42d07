// Comments satisfy no rule, placeholders and missing addresses are named, and so is what compiling lost.
import fc from 'fast-check'
import { test } from 'tap'
import type { LintInput } from '../document/linted-mail.ts'
import {
  withoutCssComments,
  withoutHtmlComments,
  withoutSlotComments
} from '../document/without-comments.ts'
import { lintTemplate } from '../report/lint-template.ts'
import { placeholdersIn } from '../rules/placeholders.ts'
import { hasPostalAddress } from '../rules/postal-address.ts'

const WORDS = 'This is a calm paragraph with more than enough words in it.'
const EXIT = '{{senderAddress}} <a href="{{unsubscribeUrl}}">Unsubscribe</a>'
const page = (inner: string, head = '') =>
  `<!doctype html><html><head><title>Acme</title>${head}</head><body>${inner}</body></html>`

const input = (change: Partial<LintInput> = {}): LintInput => {
  const html = change.html ?? page(`<p>${WORDS} ${EXIT}</p>`)
  return {
    kind: 'marketing',
    subject: 'Your monthly news',
    preheader: 'What is new',
    fromEmail: 'hello@acme.test',
    bodyFormat: 'multipart',
    text: WORDS,
    html,
    source: { html, mjml: null, editorJson: null },
    ...change
  }
}

function rulesOf(change: Partial<LintInput>) {
  const { errors, warnings, infos } = lintTemplate(input(change))
  return [...errors, ...warnings, ...infos].map(({ rule }) => rule)
}

/** Content that satisfies a rule, written into a comment in each way that there is. */
const SATISFYING: readonly (readonly [string, (inner: string) => Partial<LintInput>])[] = [
  ['missing_unsubscribe_tag', (inner) => ({ html: page(`${WORDS} ${inner}`) })],
  ['missing_unsubscribe_tag', (inner) => ({ html: page(`${WORDS} <a href="${inner}">Leave</a>`) })],
  ['missing_unsubscribe_tag', (inner) => ({ bodyFormat: 'text_only', text: `${WORDS} ${inner}` })],
  ['missing_plain_text', (inner) => ({ text: inner })],
  ['empty_preheader', (inner) => ({ preheader: inner })],
  [
    'html_empty',
    (inner) => ({ html: inner, source: { html: inner, mjml: null, editorJson: null } })
  ],
  ['image_only_body', (inner) => ({ html: page(`<img src="a" alt="b">${inner}`) })],
  ['missing_sender_address', (inner) => ({ html: page(`${WORDS} ${inner}`) })],
  ['missing_sender_address', (inner) => ({ bodyFormat: 'text_only', text: `${WORDS} ${inner}` })]
]
const SAID =
  '{{unsubscribeUrl}} 1 Main Street, Springfield, IL 62701 and many words that are long enough'

test('a comment never satisfies a rule', (t) => {
  for (const comment of [
    `{{!-- ${SAID} --}}`,
    `{{~!-- ${SAID} --~}}`,
    '{{! 1 Main Street, Springfield, IL 62701 }}'
  ])
    for (const [rule, change] of SATISFYING)
      t.ok(rulesOf(change(comment)).includes(rule), `${rule}: ${comment}`)
  const dark = (head: string) =>
    rulesOf({ html: page(`<p style="color:red">${WORDS} ${EXIT}</p>`, head) })
  t.notOk(dark('<meta name="color-scheme" content="light dark">').includes('dark_mode'))
  t.notOk(dark('<style>:root{color-scheme:light dark}</style>').includes('dark_mode'))
  for (const head of [
    '<!-- <meta name="color-scheme"> -->',
    '<style>/* color-scheme: dark */</style>',
    '{{! color-scheme: }}'
  ])
    t.ok(dark(head).includes('dark_mode'), head)
  t.ok(rulesOf({ html: page(`${WORDS} \\{{unsubscribeUrl}}`) }).includes('missing_unsubscribe_tag'))
  t.end()
})

test('a comment breaks no rule either', (t) => {
  for (const comment of [
    '{{!-- {{vars.odd}} https://bit.ly/a lorem ipsum --}}',
    '<!-- {{vars.odd}} lorem ipsum <form> -->',
    '<style>/* @import position:fixed */</style>'
  ])
    t.same(
      rulesOf({ html: page(`${WORDS} ${comment} ${EXIT}`), variables: ['known'] }),
      [],
      comment
    )
  const outlook = page(
    `${WORDS} ${EXIT}<!--[if mso]><table bgcolor="red"><tr><td>{{vars.odd}}</td></tr></table><![endif]-->`
  )
  t.ok(rulesOf({ html: outlook, variables: ['known'] }).includes('unknown_variable'))
  t.end()
})

test('text without comments is the same, and any text is read', async () => {
  const unit = fc.constantFrom('{{', '!', '--', '}}', '~', '<!', '>', '/*', '*/', 'a')
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const all = [withoutSlotComments, withoutHtmlComments, withoutCssComments]
      const isKept =
        /\{\{~?!|<!--|\/\*/.test(text) || all.every((without) => without(text) === text)
      return isKept && all.every((without) => without(text).length <= text.length)
    })
  )
})

test('a postal address is known in the forms of many countries', (t) => {
  for (const text of [
    '{{senderAddress}}',
    '{{{host.postalAddress}}}',
    'Acme Inc., 1 Main Street, Springfield',
    'Springfield, IL 62701',
    'PO Box 12, Leeds',
    'Acme GmbH, Musterweg 1, 10115 Berlin',
    'Damrak 1, 1012 AB Amsterdam',
    '10 Downing St, London SW1A 2AA',
    'Toronto M5V 2T6',
    'CH-8001 Zürich',
    'ul. Prosta 1, 00-950 Warszawa',
    '〒100-0001 Tokyo'
  ])
    t.ok(hasPostalAddress(text), text)
  for (const text of [
    '© 2026 Acme Inc.',
    'Order 12345 has shipped',
    'Write to {{contact.emailAddress}}',
    'Call 555 1234',
    'Save 20 EUR until May'
  ])
    t.notOk(hasPostalAddress(text), text)
  t.end()
})

test('text that was to be replaced is known, and ordinary text is not', (t) => {
  for (const text of [
    'Lorem ipsum dolor',
    'TODO: price',
    'Dear [Your name],',
    '[insert date here]',
    'Add your text here',
    'Hi *|FNAME|*',
    'Hi %%first_name%%',
    'Hi %recipient.name%',
    'Hi ${name}',
    'Hi [[name]]',
    'Hi {{ .Subscriber.Name }}',
    'Hi {{ first_name | default: "you" }}',
    'Your headline goes here'
  ])
    t.ok(placeholdersIn(text).length > 0, text)
  for (const text of [
    'Hi {{contact.firstName}}',
    'Save 50% on %ages',
    '[1] See below',
    'Add the link to your page',
    'To do: nothing',
    'Your name stays',
    '$5 {a}'
  ])
    t.same(placeholdersIn(text), [], text)
  t.match(lintTemplate(input({ subject: 'Hello [First name]' })).warnings, [
    { rule: 'placeholder_text' }
  ])
  t.end()
})

test('what compiling lost is named', (t) => {
  const mjml = (inner: string) =>
    `<mjml><mj-head><mj-title>Title only</mj-title></mj-head><mj-body>${inner}</mj-body></mjml>`
  const compiled = (source: string, html: string) =>
    lintTemplate(
      input({ html, source: { html: null, mjml: source, editorJson: null } })
    ).warnings.filter(({ rule }) => rule === 'compile_lost')
  const kept = page(`<p>${WORDS} ${EXIT}</p>`)
  t.same(compiled(mjml(`<mj-text>${WORDS} ${EXIT}</mj-text>`), kept), [])
  t.match(compiled(mjml(`<mj-odd>Vanished</mj-odd>`), kept), [{ message: /"Vanished"/ }])
  t.match(compiled(mjml(''), page(`${WORDS}<mj-text>x</mj-text>`)), [
    { message: /<mj-text> was not compiled/ }
  ])
  const sheet = '<mj-style inline="inline">@media (max-width: 9px) { .a { color: red } }</mj-style>'
  t.match(compiled(mjml(sheet), kept), [{ message: /@media \(max-width: 9px\)/ }])
  t.same(
    compiled(mjml(sheet), page(`${WORDS}<style>@media (max-width:9px){.a{color:red}}</style>`)),
    []
  )
  const strong = '<mj-style inline="inline">.a { display: none !important }</mj-style>'
  t.match(compiled(mjml(strong), kept), [{ message: /!important/ }])
  t.same(compiled(mjml(`<!-- ${strong} -->`), kept), [], 'a comment loses nothing')
  t.end()
})
