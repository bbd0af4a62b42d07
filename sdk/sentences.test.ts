// Sentences of answers: English for API users, codes and facts for pages.
import { test } from 'tap'
import { defineSentences, hintOf, joinSentences } from './sentences.ts'

const say = defineSentences({
  quiet: 'No mail was sent.',
  full: '{count} of {all} mails wait.'
})

test('a sentence has its English, and its code with what it names', async (t) => {
  t.same(say('quiet'), { message: 'No mail was sent.', said: [{ code: 'quiet' }] })
  t.same(say('full', { count: 3, all: 1000 }), {
    message: '3 of 1000 mails wait.',
    said: [{ code: 'full', facts: { count: 3, all: 1000 } }]
  })
})

test('several sentences are one message, and a sentence may be a hint', async (t) => {
  t.same(joinSentences([say('quiet'), say('full', { count: 1, all: 2 })]), {
    message: 'No mail was sent. 1 of 2 mails wait.',
    said: [{ code: 'quiet' }, { code: 'full', facts: { count: 1, all: 2 } }]
  })
  t.same(joinSentences([]), { message: '', said: [] })
  t.same(hintOf(say('quiet')), { hint: 'No mail was sent.', hintSaid: [{ code: 'quiet' }] })
})
