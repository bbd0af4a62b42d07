// Findings, their places, and the order in which the key goes through them.
import { test } from 'tap'
import { findingsOf, keyOf, nextFinding, stopsOf } from './findings.ts'

const SOURCE = `<mjml>
  <mj-image src="https://example.com/photo.png" />
  <mj-button href="https://example.com/">example.com</mj-button>
  <mj-button href="https://go.bit.ly/acme">Go to bit.ly</mj-button>
  <mj-text title="ACT NOW">ACT NOW: {{vars.webinar}}, not vars.webinar</mj-text>
  <mj-button href='HTTP://acme.test/'>Here</mj-button>
  <mj-text>See https://acme.test/plain</mj-text>
  <mj-image alt="x" href="https://acme.test/" src="http://acme.test/a.png" />`

const check = (over: object) => ({
  refusal: null,
  warnings: [],
  reports: {},
  variables: [],
  ...over
})

/** What the content linter says, and what of the source is marked. */
const PLACES: readonly (readonly [rule: string, message: string, marked: string | undefined])[] = [
  [
    'image_missing_alt',
    '1 of 2 images have no alt text.',
    '<mj-image src="https://example.com/photo.png" />'
  ],
  [
    'offdomain_links',
    '1 of 1 links lead to example.com, not to acme.test.',
    'https://example.com/'
  ],
  ['url_shortener', 'A link uses the shortener bit.ly.', 'https://go.bit.ly/acme'],
  ['spam_phrases', 'Words that spam uses: "act now".', 'ACT NOW'],
  ['unknown_variable', 'The variable vars.webinar is not declared.', 'vars.webinar'],
  ['insecure_link', '1 of the links use http, as HTTP://acme.test/', 'HTTP://acme.test/'],
  ['bare_url', 'An address is written out: https://acme.test/plain', 'https://acme.test/plain'],
  [
    'image_only_link',
    '1 of the links are nothing but an image.',
    '<mj-image alt="x" href="https://acme.test/" src="http://acme.test/a.png" />'
  ],
  ['missing_unsubscribe_tag', 'Add an unsubscribe link. The law and Gmail require one.', undefined],
  ['words_of_a_house', 'We never say "Go to bit.ly".', 'Go to bit.ly']
]

test('a finding is placed in the attribute, the text or the slot that it is about', async (t) => {
  for (const [rule, message, marked] of PLACES) {
    const [found] = findingsOf(
      check({ reports: { lint: { warnings: [{ rule, message }] } } }),
      SOURCE
    )
    t.equal(found?.at && SOURCE.slice(found.at.from, found.at.to), marked, rule)
  }
})

test('words are marked in the text before attributes, and variables in slots alone', async (t) => {
  const warnings = PLACES.map(([rule, message]) => ({ rule, message }))
  const found = findingsOf(check({ reports: { lint: { warnings } } }), SOURCE)
  const at = (rule: string) => found.find((one) => one.rule === rule)?.at?.from
  t.equal(at('spam_phrases'), SOURCE.indexOf('ACT NOW:'))
  t.equal(at('unknown_variable'), SOURCE.indexOf('vars.webinar'))
})

test('findings about a field name it', async (t) => {
  const warnings = [
    { rule: 'empty_preheader', message: 'There is no preheader.' },
    { rule: 'subject_too_long', message: 'The subject has 80 characters.' },
    { rule: 'spam_phrases', message: 'Words that spam uses: "!!!".' }
  ]
  const fields = { subject: 'Sale!!!', preheader: '', fromEmail: '' }
  const found = findingsOf(check({ reports: { lint: { warnings } } }), SOURCE, fields)
  t.same(
    found.map(({ field }) => field),
    ['preheader', 'subject', 'subject']
  )
})

test('the key goes through the errors, and without errors through everything', async (t) => {
  const lint = {
    errors: [
      { rule: 'missing_unsubscribe_tag', message: 'No link.' },
      { rule: 'url_shortener', message: 'A link uses the shortener bit.ly.' }
    ],
    warnings: [{ rule: 'image_missing_alt', message: '1 of 2 images have no alt text.' }]
  }
  const found = findingsOf(check({ refusal: { error: 'lint_failed', lint } }), SOURCE)
  const stops = stopsOf(found)
  t.same(
    stops.map(({ severity }) => severity),
    ['error', 'error']
  )
  const first = nextFinding(stops, '')
  t.equal(first, stops[0])
  t.equal(nextFinding(stops, keyOf(stops[0] as never)), stops[1])
  t.equal(nextFinding(stops, keyOf(stops[1] as never)), stops[0], 'and begins again')
  const { errors: _errors, ...warned } = lint
  const rest = findingsOf(check({ reports: { lint: warned } }), SOURCE)
  t.same(stopsOf(rest), rest)
  t.equal(nextFinding([], ''), undefined)
})

test('errors come first, and a refusal without findings is one', async (t) => {
  const refusal = { error: 'compile_failed', message: 'Parse error on line 3' }
  const found = findingsOf(
    check({ refusal, warnings: [{ message: 'Unknown tag', line: 2 }] }),
    SOURCE
  )
  t.match(found, [
    { severity: 'error', rule: 'compile_failed', at: { line: 3 } },
    { severity: 'warning', rule: 'mjml', at: { line: 2 } }
  ])
})

test('errors of gates are shown once', async (t) => {
  const errors = [{ rule: 'missing_unsubscribe_tag', message: 'No link.', hint: 'Add one.' }]
  const found = findingsOf(check({ refusal: { error: 'lint_failed', lint: { errors } } }), SOURCE)
  t.equal(found.length, 1)
  t.same(findingsOf(undefined, SOURCE), [])
})
