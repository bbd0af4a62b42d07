// Suggestions of a field whose values have words.
import { test } from 'tap'
import { type FilterField, wordsOf } from '../../controllers/filter.ts'
import { matchingWords } from './matching-words.ts'

test('values are found by their words and by themselves, and each once', async (t) => {
  const texts: Readonly<Record<string, string>> = { winter: 'Winter offer', a: 'Same', b: 'Same' }
  const words = (value: string) => texts[value] ?? value
  const field: FilterField = { id: 'broadcast', label: 'Broadcast', words }
  t.same(matchingWords(field, ['winter', 'a', 'b'], 'offer'), ['winter'])
  t.same(matchingWords(field, ['winter', 'a', 'b'], 'same'), ['a', 'b'])
  t.same(matchingWords(field, ['winter', 'a', 'b'], 'wint'), ['winter'])
  t.equal(wordsOf(field, 'gone'), 'gone')
  t.equal(wordsOf(undefined, 'x'), 'x')
})
