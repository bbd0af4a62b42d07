import { Int32 } from 'bson'
import fc from 'fast-check'
import { test } from 'tap'
import { caught, doc } from './arbitrary-values.test.data.ts'
import { type Collation, isSameCollation, parseCollation } from './collation.ts'
import { compareValues, equalValues } from './compare.ts'

const english = (strength: 1 | 2): Collation => {
  const collation = parseCollation(doc({ locale: 'en', strength }))
  if (collation === undefined) throw new Error('no collation')
  return collation
}
const judges = {
  1: new Intl.Collator('en', { sensitivity: 'base' }),
  2: new Intl.Collator('en', { sensitivity: 'accent' })
}
const letters = fc.string({
  unit: fc.constantFrom(...'aAbBzZ019 _-.,@éÉèêöÖøßæñçł$+()/'),
  maxLength: 6
})

test('texts compare as the Unicode collation has it', async (t) => {
  for (const strength of [1, 2] as const) {
    const collation = english(strength)
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        const order = Math.sign(compareValues(a, b, collation))
        const expected = Math.sign(judges[strength].compare(a, b))
        return strength === 1 || /[ßæłø]/.test(a + b)
          ? (order === 0) === (expected === 0) || order === expected
          : order === expected
      }),
      { numRuns: 2000 }
    )
  }
  t.pass()
})

test('strength 1 sees neither case nor accents, strength 2 no case', async (t) => {
  t.ok(equalValues('Éric', 'eric', english(1)))
  t.notOk(equalValues('Éric', 'eric', english(2)))
  t.ok(equalValues('ÉRIC', 'éric', english(2)))
  t.ok(equalValues(['A', doc({ k: 'B' })], ['a', doc({ k: 'b' })], english(2)))
  t.ok(compareValues('😀', 'z', english(2)) > 0)
  t.ok(compareValues('z', 'Ж', english(1)) < 0)
})

test('the same text asked again has the same key', async (t) => {
  const collation = english(1)
  const first = collation.key('Text')
  for (let i = 0; i < 5000; i++) collation.key(`other ${i}`)
  t.equal(collation.key('Text'), first)
})

test('"simple" and a missing collation mean binary comparison', async (t) => {
  t.equal(parseCollation(undefined), undefined)
  t.equal(parseCollation(doc({})), undefined)
  t.equal(parseCollation(doc({ locale: 'simple' })), undefined)
  t.ok(isSameCollation(parseCollation(doc({ locale: 'en_US', strength: 2 })), english(2)))
  t.ok(isSameCollation(undefined, undefined))
  t.notOk(isSameCollation(english(1), english(2)))
})

test('the answered specification is complete and understood again', async (t) => {
  const { spec } = english(2)
  t.same(spec.get('strength'), new Int32(2))
  t.equal(spec.get('alternate'), 'non-ignorable')
  t.ok(isSameCollation(parseCollation(spec), english(2)))
})

test('any other collation is refused', async (t) => {
  for (const spec of [
    { locale: 'de', strength: 2 },
    { locale: 'en' },
    { locale: 'en', strength: 3 },
    { locale: 'en', strength: 'x' },
    { locale: 'simple', strength: 1 },
    { locale: 'en', strength: 1, caseLevel: true },
    { locale: 'en', strength: 1, nope: 1 }
  ]) {
    t.equal(caught(() => parseCollation(doc(spec))).code, 2)
  }
})
