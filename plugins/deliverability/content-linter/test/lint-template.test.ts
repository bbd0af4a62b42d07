// What each rule finds, and what it leaves alone.
import { test } from 'tap'
import type { LintInput } from '../document/linted-mail.ts'
import { type LintOptions, lintTemplate } from '../report/lint-template.ts'

const WORDS = '<p>This is a calm paragraph with more than enough words in it.</p>'
const EXIT = '<p>{{senderAddress}} <a href="{{unsubscribeUrl}}">Unsubscribe</a></p>'
const page = (inner: string) =>
  `<!doctype html><html><head><title>Acme</title></head><body>${inner}</body></html>`
const body = (inner: string) => ({ html: page(`${WORDS}${inner}${EXIT}`) })
const links = (count: number, host: string) =>
  Array.from({ length: count }, (_, i) => `<a href="https://${host}/${i}">link ${i}</a>`).join(' ')

type Change = Partial<Omit<LintInput, 'source'>>

/** Content that breaks no rule, with a change. */
function content(change: Change = {}): LintInput {
  const html = change.html ?? page(`${WORDS}<p><a href="https://acme.test/a">Read</a></p>${EXIT}`)
  return {
    kind: 'marketing',
    subject: 'Your monthly news',
    preheader: 'What is new',
    fromEmail: 'hello@acme.test',
    bodyFormat: 'multipart',
    text: 'This is a calm text.',
    html,
    source: { html, mjml: null, editorJson: null },
    ...change
  }
}

const senderDomains = [
  { domain: 'acme.test', kind: 'both' },
  { domain: 'bills.test', kind: 'transactional' }
] as const

function lint(change: Change = {}, options: LintOptions = {}) {
  return lintTemplate(content(change), { senderDomains, ...options })
}

const rulesOf = (change: Change, options: LintOptions = {}) => {
  const { errors, warnings, infos } = lint(change, options)
  return [...errors, ...warnings, ...infos].map(({ rule, severity }) => `${severity} ${rule}`)
}

test('an MJML image without alt text is found, though the compiler writes an empty one', async (t) => {
  const { html } = body('<img src="https://acme.test/a.png" alt="">')
  const mjml = (image: string) => ({
    ...content({ html }),
    source: { html: '', mjml: `<mjml><mj-body>${image}</mj-body></mjml>`, editorJson: null }
  })
  const found = (image: string) =>
    lintTemplate(mjml(image), { senderDomains }).warnings.filter(
      ({ rule }) => rule === 'image_missing_alt'
    ).length
  t.equal(found('<mj-image src="https://acme.test/a.png" />'), 1)
  t.equal(found('<mj-image src="https://acme.test/a.png" alt="" />'), 0)
  t.equal(found('<!-- <mj-image src="https://acme.test/a.png" /> -->'), 0)
})

test('what the block editor puts in looks like text to be replaced, in both languages', async (t) => {
  for (const inner of [
    '<p>[Your text]</p>',
    '<p>[Ihr Text]</p>',
    '<p>[Ihre Überschrift]</p>',
    '<a href="https://example.com/">Read more</a>'
  ])
    t.ok(rulesOf(body(inner)).includes('warning placeholder_text'), inner)
  t.notOk(
    rulesOf(body('<a href="https://example.community/">Here</a>')).includes(
      'warning placeholder_text'
    )
  )
})

test('content without a fault has no error and no warning', async (t) => {
  const { errors, warnings, compileFailed } = lint()
  t.same([errors, warnings, compileFailed], [[], [], false])
})

// rule, content that breaks it, content that does not
const cases: readonly (readonly [string, Change, Change])[] = [
  ['error missing_plain_text', { text: ' \n' }, { text: 'Words.' }],
  [
    'error image_only_body',
    { html: page('<p>Hi</p><img src="a.png" alt="A">') },
    { html: page(`${WORDS}<img src="a.png" alt="A">`) }
  ],
  [
    'error image_only_body',
    { html: page('<div style="display:none">A long hidden preview text</div><img alt="A">') },
    { html: page('<p>{{vars.story}}</p><img src="a.png" alt="A">') }
  ],
  [
    'error url_shortener',
    body('<a href="https://bit.ly/abc">here</a>'),
    body('<a href="https://acme.test/bit.ly">here</a><a href="https://orbit.lyx.test/">x</a>')
  ],
  ['error url_shortener', body('<p>See https://www.tinyurl.com/x</p>'), body('')],
  ['error missing_unsubscribe_tag', { html: page(WORDS) }, body('')],
  [
    'error missing_unsubscribe_tag',
    { html: page(`${WORDS}<!-- {{unsubscribeUrl}} -->`) },
    { html: page(`${WORDS}<a href="{{{ unsubscribeUrl }}}">Leave</a>`) }
  ],
  [
    'error missing_unsubscribe_tag',
    { bodyFormat: 'text_only', html: '', text: 'Hello' },
    { bodyFormat: 'text_only', html: '', text: 'Hello {{unsubscribeUrl}}' }
  ],
  ['error missing_unsubscribe_tag', { html: page(WORDS) }, { kind: 'transactional' }],
  ['error sender_domain_invalid', { fromEmail: 'x@else.test' }, { fromEmail: 'x@ACME.test' }],
  ['error sender_domain_invalid', { fromEmail: 'x@bills.test' }, {}],
  ['error sender_domain_invalid', { fromEmail: '' }, {}],
  ['error sender_domain_invalid', { fromEmail: 'a b@acme.test' }, {}],
  [
    'warning bare_url',
    body('<p>Look at https://acme.test/page today</p>'),
    body('<p>Look at <a href="https://acme.test/page">https://acme.test/page</a></p>')
  ],
  [
    'warning spam_phrases',
    body('<p>ACT NOW, it is FREE and 100% guaranteed!!!</p>'),
    body('<p>Feel free to act!! Now, 100 % of us do.</p>')
  ],
  ['warning all_caps_subject', { subject: 'BIG SALE today' }, { subject: 'Big sale: 50 % OFF' }],
  ['warning all_caps_subject', { subject: 'GROSSER VERKÄUFER' }, { subject: 'NASA' }],
  ['warning subject_too_long', { subject: 'a'.repeat(61) }, { subject: 'a'.repeat(60) }],
  [
    'warning subject_too_long',
    { subject: `${'a'.repeat(53)}{{vars.name}}` },
    { subject: `Hello {{default contact.firstName "there"}}, this is your news of November` }
  ],
  ['warning too_many_links', body(links(10, 'acme.test')), body(links(9, 'acme.test'))],
  [
    'warning offdomain_links',
    body(links(2, 'other.test') + links(1, 'acme.test')),
    body(
      `${links(1, 'other.test')}${links(1, 'www.acme.test')}<a href="mailto:a@other.test">w</a> <a href="{{vars.link}}">y</a> <a href="/relative">h</a>`
    )
  ],
  [
    'warning insecure_link',
    body('<a href="http://acme.test/x">plain</a>'),
    body('<a href="https://acme.test/x">secure</a>')
  ],
  [
    'warning image_missing_alt',
    body('<img src="https://acme.test/a.png">'),
    body('<img src="https://acme.test/a.png" alt="">')
  ],
  [
    'warning image_only_link',
    body('<a href="https://acme.test/x"><img src="a.png" alt="Offer"></a>'),
    body('<a href="https://acme.test/x"><img src="a.png" alt="Offer"> See the offer</a>')
  ],
  [
    'warning unknown_variable',
    { ...body('<p>{{vars.nmae}}</p>'), variables: ['name'] },
    { ...body('<p>{{vars.name}} {{contact.email}}</p>'), variables: ['name'] }
  ],
  [
    'warning unknown_variable',
    { subject: '{{vars.a}}', variables: ['b'] },
    { subject: '{{vars.a}}' }
  ],
  ['info empty_preheader', { preheader: ' ' }, { preheader: 'News' }],
  ['error html_empty', { html: ' ' }, {}],
  [
    'error html_unclosed_comment',
    body('<!-- a <p>b</p>'),
    body('<!-- a --><!--[if mso]><table><tr><td><![endif]-->')
  ],
  [
    'warning html_unbalanced_tags',
    body('<div><b>never closed</div>'),
    body('<p>a<p>b<ul><li>c</ul>')
  ],
  ['warning html_unbalanced_tags', body('</div>'), body('<br/><img src="a" alt=""/><hr>')],
  [
    'error html_unbalanced_tags',
    body('<a href="https://acme.test/">open'),
    body(
      '{{#if vars.a}}<a href="https://acme.test/">{{else}}<a href="https://acme.test/b">{{/if}}x</a>'
    )
  ],
  [
    'error html_too_deep',
    body('<div>'.repeat(1_001)),
    body(`${'<p>a'.repeat(1_001)}${'<div>a</div>'.repeat(1_001)}`)
  ],
  ['warning html_script_tag', body('<script>alert(1)</script>'), body('<p>script</p>')],
  ['warning html_missing_body', { html: `${WORDS}${EXIT}` }, {}],
  [
    'info gmail_clip',
    body(`<p>${'word '.repeat(21_000)}</p>`),
    body(`<p>${'w '.repeat(21_000)}</p>`)
  ],
  [
    'info gmail_style_limit',
    body(`<style>${'a{b:c}'.repeat(2_800)}</style>`),
    body(`<style>${'a{b:c}'.repeat(2_600)}</style>`)
  ],
  [
    'info dark_mode',
    body('<p style="color:#000">a</p>'),
    body('<style>:root{color-scheme:light dark}</style><p style="color:#000">a</p>')
  ],
  ['info client_support', body('<video src="a"></video>'), body('<p>video</p>')],
  ['info client_support', body('<div style="display: flex">a</div>'), body('<div>flex</div>')],
  ['info client_support', body('<img src="a.webp" alt="">'), body('<img src="a.png" alt="">')]
]
for (const [rule, bad, good] of cases) {
  test(`${rule} is reported only when it is broken: ${JSON.stringify(bad).slice(0, 90)}`, async (t) => {
    t.ok(rulesOf(bad).includes(rule), 'reported')
    t.notOk(rulesOf(good).includes(rule), 'not reported')
  })
}

test('content that does not compile is linted as it is written', async (t) => {
  const html = page(`${WORDS}{{#if vars.open}}<a href="https://bit.ly/x">x</a>${EXIT}`)
  const source = { html, mjml: null, editorJson: null }
  const report = lintTemplate(
    { ...content(), html: '', text: '', source },
    { compileError: 'if is not closed' }
  )
  t.equal(report.compileFailed, true)
  t.match(report.errors, [
    { rule: 'compile_failed', message: /if is not closed/ },
    { rule: 'url_shortener' }
  ])
})

for (const senderDomains of [
  [],
  [{ domain: 'acme.test', kind: 'both', isUnregistered: true }]
] as const) {
  test(`without registered sender domains every domain may send, with ${senderDomains.length} default`, async (t) => {
    t.notOk(
      rulesOf({ fromEmail: 'x@else.test' }, { senderDomains }).includes(
        'error sender_domain_invalid'
      )
    )
  })
}

test('settings add link domains and shorteners, and change severities', async (t) => {
  const other = body(links(3, 'shop.partner.test'))
  t.notOk(rulesOf(other, { linkDomains: ['partner.test'] }).includes('warning offdomain_links'))
  t.ok(rulesOf(other, { shorteners: ['partner.test'] }).includes('error url_shortener'))
  t.ok(
    rulesOf({ preheader: '' }, { severities: { empty_preheader: 'error' } }).includes(
      'error empty_preheader'
    )
  )
  t.same(rulesOf({ preheader: '' }, { severities: { empty_preheader: 'off' } }), [])
})

test('a rule of another plugin is a rule like the others, and one that throws is a warning', async (t) => {
  const rules = [
    {
      id: 'no_monday',
      severity: 'error' as const,
      check: ({ subject }: { readonly subject: string }) =>
        subject.includes('Monday') ? [{ message: 'Not on Mondays.', hint: 'Wait.' }] : []
    },
    {
      id: 'broken',
      severity: 'info' as const,
      check() {
        throw new Error('no idea')
      }
    }
  ]
  const { errors, warnings } = lint({ subject: 'Monday' }, { rules })
  t.same(errors, [
    { rule: 'no_monday', severity: 'error', message: 'Not on Mondays.', hint: 'Wait.' }
  ])
  t.match(warnings, [{ rule: 'broken', message: 'The rule failed: no idea' }])
})
