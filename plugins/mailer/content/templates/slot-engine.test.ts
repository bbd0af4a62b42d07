// Slots: what is escaped, what is refused, what templates can compute, and where rendering ends.
import fc from 'fast-check'
import Handlebars from 'handlebars'
import { test } from 'tap'
import { createSlotEngine, type RenderState } from './slot-engine.ts'

const engine = createSlotEngine()
const state = (iterations = 1_000, characters = 100_000): RenderState => ({
  budget: { iterations, characters }
})
const html = (source: string, roots: object) => engine.compile(source, 'html')(roots, state())
const text = (source: string, roots: object) => engine.compile(source, 'text')(roots, state())

test('a value in HTML adds no tag, attribute or entity', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const filled = html('<p title="{{v}}">{{v}}</p>', { v: value })
      const [, quoted = '', inner = ''] = /^<p title="([^"]*)">([^<]*)<\/p>$/s.exec(filled) ?? []
      return (
        filled.length === quoted.length + inner.length + 16 &&
        !/[<>"'`=]/.test(quoted + inner) &&
        !/&(?!amp;|lt;|gt;|quot;|#39;|#96;|#61;)/.test(inner)
      )
    })
  )
  t.equal(
    html('{{v}}', { v: `<b a='"=\`` }),
    '&lt;b a&#61;&#39;&quot;&#61;&#96;'.replace('&#61;&#39;&quot;', '&#61;&#39;&quot;')
  )
})

test('a value in text stays as it is, without control characters', async (t) => {
  t.equal(text('{{v}}', { v: 'Tom & <Jerry>\nx\0\x07' }), 'Tom & <Jerry>\nx')
  t.equal(text('{{{v}}}', { v: '&' }), '&')
  t.equal(html('{{{v}}}', { v: '<b>' }), '<b>', 'the author asks for HTML')
})

const { block } = fc.letrec((tie) => {
  const path = fc.constantFrom('a', 'b', 'none', '../a', '../../b', '@root.a', 'obj.x', 'this.b')
  const loop = fc.constantFrom('v', 'k', '@index', '@key', '@first', '@last', '@../index')
  const scope = fc.constantFrom(
    'list',
    'obj',
    'empty',
    'none',
    '../list',
    '@root.obj',
    'b',
    'words'
  )
  const slot = fc.oneof(path, loop).map((name) => `{{${name}}}`)
  const part = fc.oneof({ depthSize: 'small' }, slot, fc.constantFrom('x', ' ', '\n'), tie('block'))
  const inner = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''))
  const opening = fc.constantFrom('if', 'unless', 'each', 'with', '', 'each as', 'with as')
  const block = fc.tuple(opening, scope, inner, inner).map(([kind, of, yes, no]) => {
    const [name = '', as] = kind.split(' ')
    const names = as === undefined ? '' : name === 'each' ? ' as |v k|' : ' as |v|'
    const start = name === '' ? `{{#${of}}}` : `{{#${name} ${of}${names}}}`
    return `${start}${yes}{{else}}${no}{{/${name || of}}}`
  })
  return { block }
})

test('paths, loops and conditions come out as in Handlebars', async (t) => {
  const list = [
    { a: 1, b: null },
    { a: '<', obj: { x: 2 } }
  ]
  const roots = {
    a: 'A',
    b: 0,
    list,
    obj: { x: 'X', list: [{ b: true }] },
    empty: [],
    words: ['p', 'q']
  }
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 3 }), (blocks) => {
      const source = blocks.join('\n')
      // Escaped: without it Handlebars adds numbers that are side by side.
      const wanted = Handlebars.compile(source)(roots)
      // Two differences are meant: objects print nothing, and lists a space after each comma.
      return html(source, roots).replaceAll(', ', ',') === wanted.replaceAll('[object Object]', '')
    }),
    { numRuns: 150 }
  )
  t.pass()
})

test('data is never read as a template', async (t) => {
  t.equal(text('{{v}}', { v: '{{contact.email}}{{#each x}}' }), '{{contact.email}}{{#each x}}')
})

test('values print as people read them', async (t) => {
  const at = new Date('2026-03-04T05:06:07Z')
  const values = [0, false, null, undefined, at, ['a', 1], {}, { toString: 1 }, Object.create(null)]
  const printed = values.map((v) => text('[{{v}}]', { v }))
  t.same(printed, [
    '[0]',
    '[false]',
    '[]',
    '[]',
    '[2026-03-04T05:06:07.000Z]',
    '[a, 1]',
    '[]',
    '[]',
    '[]'
  ])
})

test('prototypes cannot be reached', async (t) => {
  class Inherited {
    get secret() {
      return 'secret'
    }
  }
  t.equal(text('{{v.secret}}{{v.toString}}{{v.valueOf}}', { v: new Inherited() }), '')
  t.equal(text('{{lookup v "constructor"}}{{lookup v "secret"}}', { v: new Inherited() }), '')
  t.equal(text('{{lookup v "a"}}', { v: { a: 1 } }), '1')
  for (const source of ['{{v.constructor}}', '{{v.__proto__}}', '{{#with v.prototype}}{{/with}}']) {
    t.throws(() => engine.compile(source, 'text'), /cannot be read/, source)
  }
})

const refused: readonly (readonly [string, RegExp])[] = [
  ['{{> other}}', /Partials and decorators/],
  ['{{#> other}}{{/other}}', /Partials and decorators/],
  ['{{#*inline "x"}}{{/inline}}', /Partials and decorators/],
  ['{{* decorate}}', /Partials and decorators/],
  ['{{log "x"}}', /Unknown helper log/],
  ['{{shout contact.name}}', /Unknown helper shout/],
  ['{{#if (shout 1)}}{{/if}}', /Unknown helper shout/],
  ['{{#eq 1 2}}yes{{/eq}}', /not a block.*if \(eq/],
  ['{{#each}}{{/each}}', /must have one argument/],
  ['{{@state}}', /cannot be read/],
  ['{{#if a}}never closed', /Parse error/],
  ['{{a', /Parse error/]
]
for (const [source, message] of refused) {
  test(`${source} is refused`, async (t) => {
    t.throws(() => engine.compile(source, 'html'), message)
  })
}

test('comparisons and logic take data as it comes', async (t) => {
  const yes = ['(eq a 1)', '(ne a 2)', '(gt b a)', '(gte a 1)', '(lt a b)', '(lte a 1)', '(eq d e)']
  const no = ['(eq a "1")', '(not a)', '(and a none)', '(or none empty)', '(gt a b)']
  const roots = { a: 1, b: 2, empty: [], d: new Date(5), e: new Date(5) }
  for (const call of yes) t.equal(text(`{{#if ${call}}}yes{{/if}}`, roots), 'yes', call)
  for (const call of no) t.equal(text(`{{#if ${call}}}yes{{/if}}`, roots), '', call)
  t.equal(text('{{#if (and a (or none b))}}yes{{else}}no{{/if}}', roots), 'yes')
})

test('dates, numbers and amounts follow the contact', async (t) => {
  const at = '2026-03-04T23:30:00Z'
  const german = {
    at,
    n: 1234.5,
    cents: 199_900,
    contact: { locale: 'de-DE', timezone: 'Europe/Berlin' }
  }
  t.equal(text('{{formatDate at}}', german), '5. März 2026')
  t.equal(text('{{formatDate at "short"}}', german), '05.03.26')
  t.equal(text('{{formatDate at "iso"}}', german), '2026-03-04')
  t.equal(text('{{formatDate at timezone="UTC" locale="en"}}', german), 'March 4, 2026')
  t.equal(text('{{formatNumber n}}', german), '1.234,5')
  t.equal(text('{{formatNumber n 2}}', german), '1.234,50')
  t.match(text('{{formatCurrency cents "EUR"}}', german), /^1\.999,00\s€$/)
  t.equal(text('{{formatCurrency 500 "JPY" locale="en"}}', german), '¥500')
  t.equal(text('{{pluralize n "item" "items"}}', { n: 1 }), 'item')
  t.equal(text('{{pluralize n "item" "items"}}', { n: 0 }), 'items')
})

test('a locale, zone or value that is unknown never stops a mail', async (t) => {
  const contact = { locale: '!!', timezone: 'Mars/Base' }
  t.equal(text('{{formatDate at}}', { at: '2026-03-04', contact }), 'March 4, 2026')
  t.equal(
    text('{{formatDate at}}{{formatNumber at}}{{formatCurrency at "?"}}', { at: 'x', contact }),
    ''
  )
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (a, b) => {
      const calls = ['formatDate', 'formatNumber', 'formatCurrency', 'urlEncode']
      const source = calls.map((name) => `{{${name} a}}`).join('')
      try {
        text(source, { a, contact: { locale: b, timezone: b } })
        return true
      } catch (error) {
        // An object that cannot become a text, made on purpose.
        return error instanceof TypeError
      }
    })
  )
})

test('helpers of the host are values: escaped, and without the options of Handlebars', async (t) => {
  const seen: unknown[] = []
  const own = createSlotEngine({
    shout(...args) {
      seen.push(...args)
      return `<${String(args[0]).toUpperCase()}>`
    },
    year: () => 2026
  })
  t.equal(
    own.compile('{{shout name 1}}{{year}}', 'html')({ name: 'ann' }, state()),
    '&lt;ANN&gt;2026'
  )
  t.same(seen, ['ann', 1])
  t.throws(() => own.compile('{{#shout}}{{/shout}}', 'html'), /not a block/)
})

test('loops end with the budget, nested ones and sections included', async (t) => {
  const list = Array.from({ length: 100 }, (_, at) => at)
  const nested = '{{#each a}}{{#each @root.a}}{{#each @root.a}}x{{/each}}{{/each}}{{/each}}'
  const section = '{{#a}}{{#@root.a}}{{#@root.a}}x{{/@root.a}}{{/@root.a}}{{/a}}'
  for (const source of [nested, section]) {
    const budget = state().budget
    t.throws(() => engine.compile(source, 'text')({ a: list }, { budget }), /loops too often/)
    t.equal(budget.iterations, -1, 'it stopped at once')
  }
})

test('output ends with the budget before it is joined', async (t) => {
  const big = 'x'.repeat(60_000)
  t.throws(() => text('{{v}}{{v}}', { v: big }), /too large/)
  t.equal(text('{{v}}', { v: 'x' }), 'x')
})
