// Findings and their places.
import { test } from 'tap'
import { findingsOf } from './findings.ts'

const SOURCE = `<mjml>
  <mj-image src="https://cdn.acme.test/logo.png" />
  <mj-button href="https://bit.ly/acme">Go</mj-button>
  <mj-text>Act now: {{vars.webinar}}</mj-text>`

const check = (over: object) => ({
  refusal: null,
  warnings: [],
  reports: {},
  variables: [],
  ...over
})

test('findings are placed where the source holds what they name', async (t) => {
  const lint = {
    warnings: [
      { rule: 'image_missing_alt', message: 'An image has no alternative text.' },
      { rule: 'url_shortener', message: 'A link uses the shortener bit.ly.' },
      { rule: 'unknown_variable', message: 'The variable vars.webinar is not declared.' },
      { rule: 'spam_phrases', message: 'Words that spam uses: act now.' },
      { rule: 'empty_preheader', message: 'There is no preheader.' }
    ]
  }
  const found = findingsOf(check({ reports: { lint } }), SOURCE)
  t.same(
    found.map(({ at }) => at?.line),
    [2, 3, 4, 4, undefined]
  )
  t.equal(SOURCE.slice(found[1]?.at?.from, found[1]?.at?.to), 'bit.ly')
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
