// Mistakes in the config and in the options of a host: each answer says what, where and what to do.
import { test } from 'tap'
import { answerToConfig } from './testing/config-answers.ts'
import { configMistakes } from './testing/config-mistakes.ts'

for (const mistake of configMistakes) {
  test(`${mistake.what} is answered with its place and a remedy`, async (t) => {
    const answer = await answerToConfig(t.testdir(), mistake)
    t.match(answer, { code: /^KRN_/, message: String, remedy: /\w+ \w+/ })
    for (const part of mistake.says) t.match(answer?.message, part)
  })
}

test('the table has forty mistakes, each once', async (t) => {
  t.ok(configMistakes.length >= 40)
  t.equal(new Set(configMistakes.map(({ what }) => what)).size, configMistakes.length)
})
