import fc from 'fast-check'
import { test } from 'tap'
import { texts } from './arbitrary-values.test.data.ts'
import { characterCount, characterPlace, characterSlice } from './code-points.ts'

test('texts are counted and cut by characters', async (t) => {
  fc.assert(
    fc.property(texts, fc.nat(9), fc.nat(9), (text, start, count) => {
      const characters = [...text]
      return (
        characterCount(text) === characters.length &&
        characterSlice(text, start, count) === characters.slice(start, start + count).join('') &&
        characterPlace(text, start) === characters.slice(0, start).join('').length
      )
    })
  )
  t.equal(characterCount('a😀b', 3), 2)
})
