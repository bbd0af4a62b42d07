// Ids of sends and of their messages.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'tap'
import { messageIdOf, parseMessageId } from './message-id.ts'
import { dedupeKeys, isGuessable, isSendId, linkIdOf, sendIdOf } from './send-id.ts'

const SECRET = 'a secret of some length'

test('the same key gives the same id, in the form of an ObjectId', async (_t) => {
  fc.assert(
    fc.property(fc.string(), (key) => {
      const [first, second] = [sendIdOf(SECRET, key), sendIdOf(SECRET, `${key}`)]
      return isSendId(first) && first === second
    })
  )
})

test('different keys give different ids', async (t) => {
  const keys = Array.from({ length: 10_000 }, (_, at) => `key-${at}`)
  t.equal(new Set(keys.map((key) => sendIdOf(SECRET, key))).size, keys.length)
})

test('neither an id of a send nor one of a link can be made without the secret', async (t) => {
  const other = 'another secret of some length'
  t.not(sendIdOf(SECRET, 'oneoff:1001'), sendIdOf(other, 'oneoff:1001'))
  t.not(
    linkIdOf(SECRET, 'a'.repeat(24), 'https://a.test'),
    linkIdOf(other, 'a'.repeat(24), 'https://a.test')
  )
  fc.assert(
    fc.property(fc.string(), (key) => {
      const derived = createHash('sha256').update(key).digest('hex').slice(0, 24)
      const isFound = isGuessable({ _id: derived, dedupeKey: key })
      return isFound && !isGuessable({ _id: sendIdOf(SECRET, key), dedupeKey: key })
    })
  )
})

test('a step inside the arm of a branch has another key than the step above it', async (t) => {
  t.not(dedupeKeys.flowStep('run', '0'), dedupeKeys.flowStep('run', '1.true.0'))
})

test('keys of different origins are never equal', async (t) => {
  t.not(dedupeKeys.oneOff('broadcast:a:b'), dedupeKeys.broadcast('a', 'b'))
})

test('a Message-ID leads back to its send and attempt, with or without brackets', async (_t) => {
  fc.assert(
    fc.property(fc.string(), fc.nat({ max: 999_999 }), (key, attempt) => {
      const sendId = sendIdOf(SECRET, key)
      const id = messageIdOf(sendId, attempt, 'mail.example.test')
      const same = (text: string) => {
        const parsed = parseMessageId(text)
        return parsed?.sendId === sendId && parsed.attempt === attempt
      }
      return same(id) && same(id.slice(1, -1))
    })
  )
})

test('a foreign Message-ID names no send', async (t) => {
  for (const id of ['', '<a@b>', '<0123@b>', `<${'f'.repeat(24)}@b>`, `<${'f'.repeat(24)}.1@>`]) {
    t.equal(parseMessageId(id), undefined, id)
  }
})
