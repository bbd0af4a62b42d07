// The judge of bounces on answers of real servers, and on anything else.
import fc from 'fast-check'
import { test } from 'tap'
import { ANSWER_CASES } from '../test/server-answers.ts'
import { BOUNCE_CLASSES, bounceTypeOf, judgeBounce } from './judge-bounce.ts'

for (const { words, expected } of ANSWER_CASES) {
  test(`${expected}: ${words.slice(0, 90)}`, async (t) => {
    t.equal(judgeBounce({ words }), expected)
  })
}

test('there are 120 answers and more, and each is one of its own', async (t) => {
  t.ok(ANSWER_CASES.length >= 120, `${ANSWER_CASES.length}`)
  t.equal(new Set(ANSWER_CASES.map(({ words }) => words)).size, ANSWER_CASES.length)
})

const RULES: readonly (readonly [string, Parameters<typeof judgeBounce>[0], string])[] = [
  [
    'the code of the server comes before the vendor',
    { words: '550 5.7.1 no', vendor: 'mailbox' },
    'policy'
  ],
  ['words come before the vendor', { words: '550 user unknown', vendor: 'unknown' }, 'mailbox'],
  [
    'the vendor decides where the server says nothing known',
    { words: '550 xyz', vendor: 'mailbox' },
    'mailbox'
  ],
  ['the status of the event counts as the code in the words', { enhancedCode: '5.1.1' }, 'mailbox'],
  [
    'a general status gives way to the code in the words',
    { enhancedCode: '5.0.0', words: '550 5.1.1 x' },
    'mailbox'
  ],
  ['an address with digits is no code', { words: '550 5.1.1.20 is in an RBL' }, 'block'],
  [
    'a refused sender says nothing about the mailbox',
    { words: '550 5.1.1 no such user', refused: 'sender' },
    'policy'
  ],
  [
    'words behind the data may be about a header',
    { words: '554 unknown user', refused: 'message' },
    'unknown'
  ],
  [
    'a code behind the data is clear',
    { words: '550 5.1.1 no such user', refused: 'message' },
    'mailbox'
  ],
  [
    'a machine that answers',
    { words: 'Automatic reply: out of office until Monday' },
    'auto_reply'
  ],
  ['nothing at all', {}, 'unknown']
]
for (const [name, refusal, expected] of RULES) {
  test(name, async (t) => {
    t.equal(judgeBounce(refusal), expected)
  })
}

const texts = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.constantFrom(
    'a'.repeat(9_000),
    'user '.repeat(2_000),
    'mailbox unknown '.repeat(900),
    ' '.repeat(9_000)
  )
)

test('any words have a class, and judging the verdict again does not change it', async (t) => {
  const refusals = fc.record({
    words: fc.oneof(texts, fc.constantFrom(...ANSWER_CASES.map(({ words }) => words))),
    code: fc.option(fc.integer({ min: 0, max: 999 }), { nil: undefined }),
    enhancedCode: fc.option(fc.constantFrom('5.1.1', '4.2.2', '5.7.1', '5.0.0', 'x'), {
      nil: undefined
    }),
    vendor: fc.option(fc.constantFrom(...BOUNCE_CLASSES), { nil: undefined })
  })
  fc.assert(
    fc.property(refusals, (refusal) => {
      const judged = judgeBounce(refusal)
      return (
        BOUNCE_CLASSES.includes(judged) && judgeBounce({ ...refusal, vendor: judged }) === judged
      )
    })
  )
  t.pass()
})

test('a refusal that may pass never says that the mailbox is gone', async (t) => {
  for (const { words } of ANSWER_CASES) {
    const soft = words.replace(/\b5(\d\d[ -])/g, '4$1').replace(/\b5(\.\d{1,3}\.\d{1,3})/g, '4$1')
    if (!/^4\d\d/.test(soft)) continue
    t.equal(bounceTypeOf(judgeBounce({ words: soft })), 'soft', soft)
  }
})
