// The rule for functions is one: CONTRIBUTING says the numbers that lint asks for.
import { readFileSync } from 'node:fs'
import { test } from 'tap'

// Seen from test/dist/house.
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

test('CONTRIBUTING says how long, wide and complex lint lets a function be', async (t) => {
  const { complexity } = JSON.parse(read('.biome.json')).linter.rules
  const { maxLines } = complexity.noExcessiveLinesPerFunction.options
  const { max } = complexity.useMaxParams.options
  const { maxAllowedComplexity } = complexity.noExcessiveCognitiveComplexity.options
  t.match(
    read('CONTRIBUTING.md'),
    `Lint refuses more than ${maxLines} lines without the blank ones (tests are free), ${max} parameters, and a complexity of ${maxAllowedComplexity}:`
  )
})
