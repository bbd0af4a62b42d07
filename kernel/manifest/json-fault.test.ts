// Where a text stops being JSON.
import fc from 'fast-check'
import { test } from 'tap'
import { jsonFault } from './json-fault.ts'

for (const [text, expected] of [
  ['{\n  "a": 1,\n}', 'line 3, column 1: remove the comma before }'],
  ['[1,\n 2,]', 'line 2, column 4: remove the comma before ]'],
  ['{ a: 1 }', 'line 1, column 3: expected a name in double quotes or }'],
  ["{ 'a': 1 }", 'line 1, column 3: expected a name in double quotes or }'],
  ['{ "a" 1 }', 'line 1, column 7: expected a colon'],
  ['{ "a": 1 "b": 2 }', 'line 1, column 10: expected a comma or }'],
  ['{ "a": secret }', 'line 1, column 8: expected a value'],
  ['// words\n{}', 'line 1, column 1: expected a value; JSON has no comments'],
  ['{}\n{}', 'line 2, column 1: expected the end of the file'],
  ['{ "a": 1', 'line 1, column 9: expected a comma or }'],
  ['', 'line 1, column 1: expected a value'],
  ['{ "a": "open }', 'line 1, column 8: expected a value']
] as const) {
  test(`${JSON.stringify(text)}: ${expected}`, async (t) => {
    t.equal(jsonFault(text), expected)
  })
}

test('a fault is found in what JSON.parse refuses, and in nothing else', async () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const changed = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '}', ']', '"', ' ', ':', '\n', '\\', '0', '\t')
    )
    .map(([text, at, sign]) => {
      const place = at % (text.length + 1)
      return `${text.slice(0, place)}${sign}${text.slice(place + (at % 2))}`
    })
  fc.assert(
    fc.property(fc.oneof(fc.json(), changed), (text) => {
      return isJson(text) === (jsonFault(text) === undefined)
    }),
    { numRuns: 2000 }
  )
})
