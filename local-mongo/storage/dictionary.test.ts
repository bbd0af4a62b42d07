// What a dictionary keeps of documents, and that it only ever grows in front.
import { serialize } from 'bson'
import fc from 'fast-check'
import { test } from 'tap'
import { dictionaryOf, growDictionary, MOST_DICTIONARY_BYTES } from './dictionary.ts'

const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

test('names and shared values are kept, values of one document are not', (t) => {
  const documents = Array.from({ length: 50 }, (_, n) =>
    serialize({ tenantId: 'acme', user: { mail: `${n} person@example.org` }, n, kind: 'event' })
  )
  const kept = latin(dictionaryOf(documents))
  for (const part of ['tenantId', 'acme', 'user', 'mail', 'kind', 'event']) t.match(kept, part)
  t.notMatch(kept, 'person')
  t.notMatch(kept, 'example')
  t.end()
})

test('what all values begin with is kept, of one that is longer than others too', (t) => {
  const documents = Array.from({ length: 50 }, (_, n) =>
    serialize({ path: `/products/${n * 7}/x` })
  )
  const kept = latin(dictionaryOf(documents))
  t.match(kept, '/products/')
  t.notMatch(kept, '/x')
  t.end()
})

test('a value of four in five is not shared', (t) => {
  const documents = Array.from({ length: 50 }, (_, n) =>
    serialize({ plan: n % 5 ? 'gold' : 'free' })
  )
  t.notMatch(latin(dictionaryOf(documents)), 'gold')
  t.end()
})

test('no documents make an empty dictionary', (t) => {
  t.equal(dictionaryOf([]).length, 0)
  t.end()
})

test('any dictionary grows in front, by whole words, up to its limit', (t) => {
  const bytes = fc.uint8Array({ maxLength: 1_500 })
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 6 }), (parts) => {
      let grown = new Uint8Array(0)
      for (const part of parts) {
        const before = grown
        grown = new Uint8Array(growDictionary(before, part))
        if (latin(grown.subarray(grown.length - before.length)) !== latin(before)) return false
      }
      return grown.length % 8 === 0 && grown.length <= MOST_DICTIONARY_BYTES
    })
  )
  t.end()
})
