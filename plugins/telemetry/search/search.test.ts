// What people search for, as patterns that all engines match alike, in linear time.
import fc from 'fast-check'
import { test } from 'tap'
import { textPattern } from './pattern-text.ts'
import { MAX_SEARCH, readSearch } from './read-search.ts'
import { safePattern } from './safe-pattern.ts'
import { attrPatternOf, searchFilter } from './search-filter.ts'

/** Whether a text fits all terms, each as one text. */
function fits(search: string, text: string): boolean {
  const read = readSearch(search)
  if (!read.ok) throw new Error(read.problem)
  return read.terms.every(({ pattern, isNot }) => new RegExp(pattern).test(text) !== isNot)
}

test('words, quoted texts, signs and expressions are each read as such', async (t) => {
  const text = 'Payment failed: card "4242" declined after 31 ms (order a/b-7)'
  const cases: readonly (readonly [string, boolean])[] = [
    ['', true],
    ['payment', true],
    ['FAILED payment', true],
    ['payment refund', false],
    ['"card \\"4242\\""', true],
    ['"failed payment"', false],
    ['"after 31', true],
    ['-refund', true],
    ['-declined payment', false],
    ['-"card declined"', true],
    ['/after \\d+ ms/', true],
    ['/AFTER/', false],
    ['/AFTER/i', true],
    ['-/card.*refund/', true],
    ['/^Payment/', true],
    ['/\\(order .*\\)$/', true],
    ['a/b-7', true],
    ['/b', true],
    ['.*', false],
    ['(order', true],
    ['/card|refund/', true],
    ['/de(?:clin|lay)ed/', true],
    ['/[a-c]ard [^0-9]4/', true]
  ]
  for (const [search, expected] of cases) t.equal(fits(search, text), expected, search)
})

test('what cannot be read, or not in linear time, is refused with the reason', async (t) => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['/(a+)+b/', /a group cannot be repeated/],
    ['/(ab){2}/', /a group cannot be repeated/],
    ['/.*a.*b.*c/', /more than two repeats/],
    ['/(?=x)/', /ahead or behind/],
    ['/(?<=x)y/', /ahead or behind/],
    ['/(a)\\1/', /\\1 is not known/],
    ['/a{1,900}/', /at most 64/],
    ['/a**/', /cannot be repeated/],
    ['/(a/', /has no \)/],
    ['/a)/', /has no \(/],
    ['/[z-a]/', /ends before it begins/],
    ['/[]/', /empty/],
    ['/+/', /nothing to repeat/],
    [`/${'a'.repeat(101)}/`, /more than 100/],
    ['x '.repeat(11), /at most 10 terms/],
    ['x'.repeat(MAX_SEARCH + 1), /at most 500/]
  ]
  for (const [search, problem] of cases) {
    const read = readSearch(search)
    t.notOk(read.ok, search)
    if (!read.ok) t.match(read.problem, problem)
  }
})

test('a quoted text is found wherever it is, in upper or lower case, whatever it holds', async (t) => {
  const anyText = fc.string({ maxLength: 30, unit: 'grapheme' })
  await fc.assert(
    fc.asyncProperty(
      anyText,
      fc.string({ minLength: 1, maxLength: 12 }),
      anyText,
      async (...all) => {
        const [before, wanted, after] = all
        const quoted = `"${wanted.replace(/["\\]/g, '\\$&')}"`
        t.ok(fits(quoted, before + wanted + after))
        const isAscii = /^[ -~]*$/.test(wanted)
        if (isAscii) t.notOk(fits(`-${quoted}`, before + wanted.toUpperCase() + after))
      }
    )
  )
})

test('any search is read or refused, and what is read compiles', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 60 }), async (text) => {
      const read = readSearch(text)
      if (read.ok) for (const { pattern } of read.terms) t.ok(new RegExp(pattern), pattern)
      else t.type(read.problem, 'string')
    }),
    { numRuns: 500 }
  )
})

test('an expression that is taken matches as it does in JavaScript, within its repeats', async (t) => {
  const atom = fc.constantFrom(
    'a',
    'b',
    '.',
    '\\d',
    '\\w',
    '[ab]',
    '[^a]',
    '(a|bc)',
    '\\.',
    '^',
    '$'
  )
  const piece = fc
    .tuple(atom, fc.constantFrom('', '', '', '?', '+', '*', '{2}'))
    .map(([one, times]) => (/^[\^$(]/.test(one) ? one : one + times))
  const source = fc.array(piece, { minLength: 1, maxLength: 5 }).map((all) => all.join(''))
  const text = fc.string({
    maxLength: 20,
    unit: fc.constantFrom('a', 'b', 'c', '1', '.', '\n', '_')
  })
  await fc.assert(
    fc.asyncProperty(source, text, fc.boolean(), async (pattern, given, isAnyCase) => {
      const safe = safePattern(pattern, isAnyCase)
      if (!safe.ok) return
      const plain = new RegExp(pattern, isAnyCase ? 'i' : '')
      t.equal(new RegExp(safe.pattern).test(given), plain.test(given), `${pattern} of ${given}`)
    }),
    { numRuns: 500 }
  )
})

test('letters beyond ASCII are found in upper and lower case', async (t) => {
  t.ok(new RegExp(textPattern('übergröße')).test('ÜBERGRÖßE'))
  t.ok(new RegExp(textPattern('𐐨x')).test('𐐀X'))
})

test('a term of attributes is known by its shape alone', async (t) => {
  const [, , , , last] = searchFilter({ pattern: 'x', isNot: false })['$or']
  t.equal(attrPatternOf(last.$expr), 'x')
  t.equal(
    attrPatternOf({ $anyElementTrue: [{ $map: { in: { $regexMatch: { regex: 'x' } } } }] }),
    undefined
  )
  t.equal(attrPatternOf({ $eq: [1, 1] }), undefined)
})
