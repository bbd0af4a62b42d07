// Mistakes of authors: keelson check says what, where and what to do, and finds nothing else.
import { test } from 'tap'
import { answersToAuthor } from './testing/author-answers.ts'
import { authorMistakes } from './testing/author-mistakes.ts'

for (const mistake of authorMistakes) {
  test(`${mistake.what} is found with its place and a remedy`, async (t) => {
    const { code, path, says } = mistake
    const problems = await answersToAuthor(t.testdir(), mistake)
    t.match(problems, [{ code, plugin: String, path, remedy: /\w+ \w+/ }])
    for (const part of says) t.match(problems[0]?.message, part)
    t.equal(problems.length, 1)
  })
}

test('the table has twenty mistakes, each once', async (t) => {
  t.ok(authorMistakes.length >= 20)
  t.equal(new Set(authorMistakes.map(({ what }) => what)).size, authorMistakes.length)
})
