import fc from 'fast-check'
import { test } from 'tap'
import { caught } from '../bson/arbitrary-values.test.data.ts'
import { compileLocator, compileRegex } from './regex.ts'

const matches = (pattern: string, text: string, options = '') =>
  compileRegex(pattern, options).test(text)

test('plain expressions mean what they mean in JavaScript', async (t) => {
  const pieces = fc.constantFrom(
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    'a*',
    'b+?',
    '(a|b)',
    '(?:ab)?',
    '\\d',
    '\\w',
    '^',
    '$',
    'a{2}',
    '\\.',
    '-',
    ']',
    '}'
  )
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 5 }).map((list) => list.join('')),
      fc.string({ unit: fc.constantFrom('a', 'b', 'A', '1', '-', ' ', ']'), maxLength: 6 }),
      fc.constantFrom('', 'i', 's'),
      (pattern, text, options) =>
        matches(pattern, text, options) === new RegExp(pattern, options).test(text)
    ),
    { numRuns: 3000 }
  )
  t.pass()
})

test('characters beyond the first plane are one character', async (t) => {
  t.ok(matches('^.$', '😀'))
  t.notOk(matches('^..$', '😀'))
  t.ok(matches('^😀{2}$', '😀😀'))
  t.ok(matches('^[😀-😂]$', '😁'))
  t.notOk(matches('^[^😁]$', '😁'))
  t.ok(matches('^[^a]*$', '😁b'))
  t.ok(matches('^[\\x{10000}-\\x{10ffff}]$', '😁'))
  t.ok(matches('^[\\x{1f600}-\\x{2f600}]$', '𠀀'))
})

test('case is ignored for all letters, references included', async (t) => {
  t.ok(matches('^STRASSE É$', 'strasse é', 'i'))
  t.ok(matches('^[^é]$', 'x', 'i'))
  t.notOk(matches('^[^é]$', 'É', 'i'))
  t.ok(matches('k', '\u212a', 'i'))
  t.ok(matches('(a)\\1', 'aA', 'i'))
  t.ok(matches('(?i)abc', 'ABC'))
})

test('the ends of text and lines are those of PCRE', async (t) => {
  t.ok(matches('a$', 'a\n'))
  t.notOk(matches('a$', 'a\nb'))
  t.notOk(matches('a\\z', 'a\n'))
  t.ok(matches('a\\Z', 'a\n'))
  t.ok(matches('^b', 'a\nb', 'm'))
  t.ok(matches('a$', 'a\nb', 'm'))
  t.notOk(matches('^b', 'a\rb', 'm'))
  t.notOk(matches('\\Ab', 'a\nb', 'm'))
  t.ok(matches('a.b', 'a\rb'))
  t.notOk(matches('a.b', 'a\nb'))
  t.ok(matches('a.b', 'a\nb', 's'))
  t.ok(matches('(a$)\\n', 'a\n'))
})

test('the option x ignores blanks and comments', async (t) => {
  t.ok(matches('a b # letters\n c', 'abc', 'x'))
  t.ok(matches('a(?# nothing )b', 'ab'))
  t.ok(matches('[ ]', ' ', 'x'))
})

test('escapes of PCRE are understood', async (t) => {
  for (const [pattern, text] of [
    ['^\\Qa.b*\\E$', 'a.b*'],
    ['^\\x41\\x{42}\\103?$', 'AB'],
    ['^\\h\\R\\H\\V\\N$', '\t\r\nxyz'],
    ['^[[:alpha:][:^space:]]+$', 'ab1'],
    ['^[\\b\\d\\-\\]]+$', '1-]'],
    ['^[]a]+$', ']a'],
    ['^[a-]+$', 'a-'],
    ['^\\cA\\a\\e\\o{101}\\0$', '\u0001\u0007\u001bA\0'],
    ['(?P<one>a)\\k<one>\\g{1}', 'aaa'],
    ["(?'one'a)\\k{one}", 'aa'],
    ['^\\p{Lu}\\pL\\P{L}\\p{Greek}$', 'Éa1α'],
    ['^\\p{Lu}[a-c😀]\\d$', 'É😀1'],
    ['^(?=a)a(?!b)(?<=a)(?<!b)c$', 'ac'],
    ['^a{,2}$', 'a{,2}'],
    ['\\bword\\b', 'a word here'],
    ['^x\\Ey$', 'xy'],
    ['^(?:^a)?$', '']
  ] as const) {
    t.ok(matches(pattern, text), pattern)
  }
})

test('what is wrong or has no counterpart is refused', async (t) => {
  for (const pattern of [
    '(',
    ')',
    '[a',
    '*a',
    'a{3,2}',
    'a{70000}',
    '\\y',
    '\\',
    'a++',
    '(?>a)',
    '(?i:a)',
    '(*FAIL)',
    '[[:nope:]]',
    '[b-a]',
    '[a-\\d]',
    '\\p',
    '[\\pL]',
    '\\x{110000}',
    '\\p{Nope}',
    '[\\',
    '('.repeat(200)
  ]) {
    t.equal(caught(() => compileRegex(pattern, '')).code, 51091, pattern)
  }
  t.equal(caught(() => compileRegex('a', 'g')).code, 51108)
  t.equal(caught(() => compileRegex('a'.repeat(40_000), '')).code, 51091)
  t.equal(caught(() => compileRegex('(?<=a)b|(\\p{L}+)+', '')).code, 51091)
})

test('repetition within repetition takes linear time or is refused', async (t) => {
  const text = `${'a'.repeat(50_000)}b`
  t.notOk(matches('^(a+)+$', text))
  t.notOk(matches('^(a|aa)*$', text, 'i'))
  t.notOk(matches('^(\\w+\\s?)*$', `${'a'.repeat(50_000)}!`))
  t.equal(caught(() => compileRegex('(?=x)(a+)+$', '')).code, 51091)
})

test('an anchored expression has a literal beginning', async (t) => {
  const beginning = (pattern: string, options = '') => {
    const { prefix, isPrefixOnly } = compileRegex(pattern, options)
    return [prefix, isPrefixOnly]
  }
  t.same(beginning('^abc'), ['abc', true])
  t.same(beginning('^abc.*'), ['abc', true])
  t.same(beginning('^ab*c'), ['a', false])
  t.same(beginning('^a\\.b+'), ['a.b', false])
  t.same(beginning('\\Aab[c]'), ['ab', false])
  t.same(beginning('^a|b'), [undefined, false])
  t.same(beginning('abc'), [undefined, false])
  t.same(beginning('^abc', 'i'), [undefined, false])
  t.same(beginning('^abc', 'm'), [undefined, false])
})

test('a locator tells where matches and groups are', async (t) => {
  const found = [...'a1b22\n'.matchAll(compileLocator('[a-z](\\d+)$', 'm'))]
  t.same(
    found.map((match) => [match.index, match[0], match[1]]),
    [[2, 'b22', '22']]
  )
})
