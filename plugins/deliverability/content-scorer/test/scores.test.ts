// Reading scores, the gate, the key of content, and the mail that a filter reads.
import fc from 'fast-check'
import { test } from 'tap'
import { contentScorerContentKey } from '../scores/content-key.ts'
import { evaluateContentScorerGate } from '../scores/evaluate-gate.ts'
import { readCheck, readMailbox, readPoints } from '../services/read-scores.ts'

test('a check has a score once it is ready', async (t) => {
  t.equal(readCheck({ ready: false, score: null }), null)
  t.equal(readCheck({ ready: true, score: null }), null)
  t.equal(readCheck('busy'), null)
  const feedback = [{ category: 'body', severity: 'warning', message: 'Too short' }, { a: 1 }]
  t.same(readCheck({ status: 'ready', score: '8.456', feedback, summary: 'Good' }), {
    score: 8.46,
    feedback: [{ category: 'body', severity: 'warning', message: 'Too short' }],
    summary: 'Good'
  })
  t.match(readCheck({ complete: true, score: 12 }), { score: 10 })
})

test('marks of a mailbox are a score from 0 to 10', async (t) => {
  t.equal(readMailbox({ status: false, title: 'Mail not found' }), null)
  t.equal(readMailbox({}), null)
  t.match(readMailbox({ displayedMark: '7.4/10', title: 'Good stuff' }), {
    score: 7.4,
    summary: 'Good stuff'
  })
  t.match(readMailbox({ displayedMark: '15/20' }), { score: 7.5 })
  t.match(
    readMailbox({ mark: -1.5, maxMark: 10, spamAssassin: { title: 'It hurts', mark: -1.5 } }),
    {
      score: 8.5,
      feedback: [{ category: 'spamAssassin', severity: 'warning', message: 'It hurts' }]
    }
  )
})

test('points of a spam filter are a score: none is 10, five are 0', async (t) => {
  t.equal(readPoints({ success: false, message: 'no mail' }), null)
  const rules = [{ score: '1.2', description: 'Short subject' }]
  t.match(readPoints({ success: true, score: '1.0', rules }), {
    score: 8,
    feedback: [{ severity: 'warning', message: '1.2: Short subject' }]
  })
  t.match(readPoints({ success: true, score: -2 }), { score: 10 })
  t.match(readPoints({ success: true, score: 9 }), { score: 0 })
})

test('any answer is a score from 0 to 10, or none', async (t) => {
  const field = fc.constantFrom('ready', 'score', 'mark', 'maxMark', 'displayedMark', 'rules')
  const answer = fc.oneof(fc.anything(), fc.dictionary(field, fc.anything()))
  fc.assert(
    fc.property(answer, (body) =>
      [readCheck(body), readMailbox(body), readPoints(body)].every(
        (read) => read === null || (read.score >= 0 && read.score <= 10)
      )
    )
  )
  t.pass()
})

test('a low score and a missing one that is required block, unless they are bypassed', async (t) => {
  const gate = { minScore: 8, requireScore: true }
  t.equal(evaluateContentScorerGate({ ...gate, score: 8 }), null)
  t.match(evaluateContentScorerGate({ ...gate, score: 7.9 }), {
    error: 'content_scorer_blocked',
    code: 'low_score',
    score: 7.9
  })
  t.match(evaluateContentScorerGate({ ...gate, score: null }), { code: 'no_score', score: null })
  t.equal(evaluateContentScorerGate({ ...gate, requireScore: false, score: null }), null)
  t.equal(evaluateContentScorerGate({ ...gate, score: 1, isBypassed: true }), null)
})

test('code and agents publish without a score, never with a low one', async (t) => {
  const gate = { minScore: 8, requireScore: true, isByPerson: false }
  t.equal(evaluateContentScorerGate({ ...gate, score: null }), null)
  t.match(evaluateContentScorerGate({ ...gate, score: 7.9 }), { code: 'low_score' })
})

test('the key of content changes with body, subject and From address alone', async (t) => {
  const content = { bodyHash: 'a', subject: 'b', fromEmail: 'c', preheader: 'd' }
  const key = contentScorerContentKey(content)
  t.match(key, /^[0-9a-f]{64}$/)
  t.equal(contentScorerContentKey({ ...content, preheader: 'e' } as typeof content), key)
  for (const change of [{ bodyHash: 'x' }, { subject: 'x' }, { fromEmail: 'x' }]) {
    t.not(contentScorerContentKey({ ...content, ...change }), key)
  }
})
