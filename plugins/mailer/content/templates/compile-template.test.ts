// Compiling templates: sources, MJML, styles, the text part, limits, and what is refused.
import { test } from 'tap'
import { TEMPLATE_LIMITS } from '../../ledger/template-limits.ts'
import type { TemplateBody } from '../../ledger/template-rows.ts'
import { type Compiler, compileTemplate } from './compile-template.ts'
import { createCompiler } from './compile-thread.ts'
import { createSlotEngine } from './slot-engine.ts'

const engine = createSlotEngine()
const compiler: Compiler = { engine, compileElsewhere: createCompiler() }
const nothing: TemplateBody = { html: '', plainText: '', mjml: '', editorJson: null }

const resultOf = (body: Partial<TemplateBody>, more: { subject?: string } = {}) =>
  compileTemplate({ subject: '', preheader: '', ...more, body: { ...nothing, ...body } }, compiler)

async function compiledOf(body: Partial<TemplateBody>) {
  const result = await resultOf(body)
  if (!result.ok) throw new Error(result.message)
  return result.compiled
}

const mjml = (inner: string) =>
  `<mjml><mj-body><mj-section><mj-column>${inner}</mj-column></mj-section></mj-body></mjml>`

test('MJML is compiled, with its slots, and its faults are warnings without paths', async (t) => {
  const source = mjml('<mj-text>Dear {{vars.name}}</mj-text><mj-odd>x</mj-odd>')
  const { html, text, warnings } = await compiledOf({ mjml: source })
  t.match(html, /<td.*Dear \{\{vars\.name\}\}/s)
  t.notMatch(html, /<mj-/)
  t.equal(text, 'Dear {{vars.name}}')
  const [warning] = warnings
  t.match(warning, { line: 1, tagName: 'mj-odd', message: /mj-odd/ })
  t.equal(warning?.formattedMessage, `Line 1 (mj-odd): ${warning?.message}`)
})

test('the body is editorJson, then MJML, then HTML', async (t) => {
  const body = { mjml: mjml('<mj-text>from mjml</mj-text>'), html: '<p>from html</p>' }
  const text = async (more: object) => (await compiledOf({ ...body, ...more })).text
  t.equal(
    await text({ editorJson: { html: '<p>from the editor</p>', blocks: [] } }),
    'from the editor'
  )
  t.equal(await text({ editorJson: { mjml: mjml('<mj-text>editor</mj-text>') } }), 'editor')
  t.equal(await text({}), 'from mjml')
  t.equal(await text({ mjml: '' }), 'from html')
})

test('an editor document without its text is refused', async (t) => {
  for (const editorJson of [{ blocks: [] }, { html: 1 }, [], 'text', 7]) {
    const message = 'editorJson must be an object with the text mjml or html'
    t.same(await resultOf({ editorJson, html: '<p>' }), {
      ok: false,
      code: 'compile_failed',
      message
    })
  }
})

const refused: readonly (readonly [string, Partial<TemplateBody>, RegExp])[] = [
  ['MJML without a body', { mjml: '<p>hi</p>' }, /Malformed MJML/],
  ['an include', { mjml: mjml('<mj-include path="/etc/hostname" />') }, /mj-include/],
  [
    'an open block',
    { html: '<p>{{#if vars.a}}never closed</p>' },
    /cannot be filled: Parse error on line \d+:\n[^\n]*$/
  ],
  ['a fault in the text part', { html: '<p>', plainText: '{{#each}}' }, /cannot be filled/],
  ['an unknown helper', { html: '{{shout vars.a}}' }, /Unknown helper shout/],
  ['a long source', { html: 'x'.repeat(TEMPLATE_LIMITS.characters + 1) }, /html is longer/],
  ['many slots', { html: '{{a}}'.repeat(TEMPLATE_LIMITS.slots + 1) }, /more than 2000 slots/],
  ['many slots that are not closed', { html: '{{'.repeat(400_000) }, /more than 2000 slots/],
  ['a long slot', { html: `{{or ${'a '.repeat(30_000)}}}` }, /slots of more than 50000/],
  [
    'a deep slot',
    { html: `{{#if ${'(not '.repeat(8_000)}a${')'.repeat(8_000)}}}{{/if}}` },
    /cannot be filled: A slot has more than 100 nested calls/
  ],
  ['many links', { html: '<a href="http://a">'.repeat(2_001) }, /more than 2000 links/]
]
for (const [name, body, message] of refused) {
  test(`${name} is refused`, async (t) => {
    t.match(await resultOf(body), { ok: false, code: 'compile_failed', message })
  })
}

test('a fault in the subject is refused', async (t) => {
  t.match(await resultOf({ html: '<p>' }, { subject: '{{#if}}' }), {
    ok: false,
    code: 'compile_failed'
  })
})

test('styles are inlined without touching slots, links and entities', async (t) => {
  const source =
    '<style>p{color:red} .b{color:{{vars.c}}} @media (max-width:9px){p{color:blue}}</style><link rel="stylesheet" href="https://x.test/a.css">' +
    '<table>{{#each vars.rows}}<tr><td class="b">{{this}}&nbsp;é</td></tr>{{/each}}</table><p>{{#if (eq vars.a "b<c")}}<a href="https://x.test/?a=1&amp;b={{vars.q}}">x</a>{{/if}}</p>'
  const { html } = await compiledOf({ html: source })
  t.match(
    html,
    '{{#each vars.rows}}<tr><td class="b" style="color: {{vars.c}};">{{this}}&nbsp;é</td></tr>{{/each}}'
  )
  t.match(
    html,
    '<p style="color: red;">{{#if (eq vars.a "b<c")}}<a href="https://x.test/?a=1&amp;b={{vars.q}}">'
  )
  t.match(html, '@media')
})

test('HTML without styles stays as written', async (t) => {
  const html = "<P>a<br/>b <a HREF='x'>c</P>"
  t.equal((await compiledOf({ html })).html, html)
})

test('a rule of a style sheet stays as strong as its author made it', async (t) => {
  const sheet = '.x{display:none !important}'
  const html = `<html><head><style>${sheet}</style></head><body><p class="x">a</p></body></html>`
  t.match((await compiledOf({ html })).html, /<p class="x" style="display: none !important;?"/)
  const source = mjml('<mj-text css-class="x">a</mj-text>').replace(
    '<mj-body>',
    `<mj-head><mj-style inline="inline">${sheet}</mj-style></mj-head><mj-body>`
  )
  t.match((await compiledOf({ mjml: source })).html, /display:\s?none !important/)
})

test('the text part is made from the HTML, in lines of 80 columns', async (t) => {
  const { text } = await compiledOf({
    html:
      '<h1>Hello {{vars.name}}</h1><div style="display:none">hidden</div>' +
      `<p>${'word '.repeat(30)}</p><ul>{{#each vars.items}}<li>{{name}} &amp; co</li>{{/each}}</ul>` +
      '<p><a href="https://x.test/a">our page</a>, <a href="https://x.test/">https://x.test/</a>, <a href="{{unsubscribeUrl}}">leave</a>, <a href="{{u}}">{{u}}</a><img src="x" alt="logo"></p>' +
      '<table><tr><td>Total</td><td>5 €</td></tr><tr><td>Tax</td></tr></table><p>&#123;&#123;no slot}}</p>'
  })
  const lines = text.split('\n')
  t.ok(lines.every((line) => line.length <= 80))
  t.equal(lines[0], 'Hello {{vars.name}}')
  t.match(text, / \* \{\{name\}\} & co/)
  t.match(text, 'our page [https://x.test/a], https://x.test/, leave [{{unsubscribeUrl}}], {{u}}\n')
  t.match(text, 'Total 5 €\nTax')
  t.match(text, '\\{{no slot}}')
  t.notMatch(text, /hidden|logo/)
})

test('a text part that is given is kept', async (t) => {
  t.equal((await compiledOf({ html: '<p>x', plainText: 'By  hand' })).text, 'By  hand')
})

test('equal bodies have equal hashes', async (t) => {
  const hash = async (html: string) => (await compiledOf({ html })).bodyHash
  t.equal(await hash('<p>a'), await hash('<p>a'))
  t.not(await hash('<p>a'), await hash('<p>b'))
})

test('a body that takes too long ends, while the host goes on', async (t) => {
  const slow = createCompiler({ timeMs: 400, heapMb: 256 })
  const source = mjml('<mj-text>x</mj-text>'.repeat(20_000))
  let turns = 0
  const turning = setInterval(() => turns++, 1)
  t.teardown(() => clearInterval(turning))
  const outcome = await slow({ format: 'mjml', source, plainText: '' })
  t.match(outcome, { ok: false, message: /more than 0.4 s/ })
  t.ok(turns > 10, `${turns} turns`)
})

test('the time to load the compiler is not the time of the first body', async (t) => {
  const quick = createCompiler({ timeMs: 300, heapMb: 256 })
  t.match(await quick({ format: 'html', source: '<p>hi', plainText: '' }), { ok: true, text: 'hi' })
})

test('a body that takes too much memory ends, and the next one is compiled', async (t) => {
  const small = createCompiler({ timeMs: 60_000, heapMb: 40 })
  const source = mjml('<mj-text>x</mj-text>'.repeat(30_000))
  const outcome = await small({ format: 'mjml', source, plainText: '' })
  t.match(outcome, { ok: false, message: /too much memory/ })
  t.match(await small({ format: 'html', source: '<p>next', plainText: '' }), {
    ok: true,
    text: 'next'
  })
})

test('compilations wait for a thread, and give up when none comes free', async (t) => {
  const compile = createCompiler({ timeMs: 700, heapMb: 256 })
  const endless = {
    format: 'mjml',
    source: mjml('<mj-text>x</mj-text>'.repeat(20_000)),
    plainText: ''
  } as const
  const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => compile(endless)))
  t.ok(outcomes.every(({ ok }) => !ok))
  const { compileElsewhere: after } = compiler
  const many = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => after({ format: 'html', source: `<p>${n}`, plainText: '' }))
  )
  t.same(
    many.map((one) => one.ok && one.text),
    ['1', '2', '3', '4', '5']
  )
})

test('two compilations at a time load the compiler twice, and later ones not again', async (t) => {
  let started = 0
  const count = () => void started++
  process.on('worker', count)
  t.teardown(() => process.off('worker', count))
  const compile = createCompiler()
  const two = () =>
    Promise.all(['a', 'b'].map((source) => compile({ format: 'html', source, plainText: '' })))
  await two()
  t.match(await two(), [{ text: 'a' }, { text: 'b' }])
  t.equal(started, 2)
})
