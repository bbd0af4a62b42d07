// What return codes mean.
import fc from 'fast-check'
import { test } from 'tap'
import { decodeAnswer } from './decode-answer.ts'

const ZEN = 'zen.spamhaus.org'
const DBL = 'dbl.spamhaus.org'

test('no address is a clean target', async (t) => {
  t.same(decodeAnswer(ZEN, []), { result: 'clean' })
})

test('a spam listing is about reputation, a policy listing is not', async (t) => {
  t.match(decodeAnswer(ZEN, ['127.0.0.3']), { result: 'listed', category: 'reputation' })
  t.match(decodeAnswer(ZEN, ['127.0.0.10']), { result: 'listed', category: 'policy' })
  t.match(decodeAnswer(ZEN, ['127.0.0.11', '127.0.0.2']), {
    category: 'reputation',
    codes: [{ meaning: /^PBL/ }, { meaning: /^SBL/ }]
  })
})

test('a legitimate domain that is abused has the category abused', async (t) => {
  for (const code of ['127.0.1.102', '127.0.1.103', '127.0.1.104', '127.0.1.105', '127.0.1.106']) {
    t.match(decodeAnswer(DBL, [code]), { result: 'listed', category: 'abused' }, code)
  }
  t.match(decodeAnswer(DBL, ['127.0.1.2']), { category: 'reputation' })
})

test('refusals, quotas and wrong questions are errors, not listings', async (t) => {
  const refusals: [string, string, RegExp][] = [
    [ZEN, '127.255.255.252', /misspelt/],
    [ZEN, '127.255.255.254', /public resolvers/],
    [ZEN, '127.255.255.255', /quota/],
    [ZEN, '127.255.255.250', /refuses/],
    [DBL, '127.0.1.255', /holds only domains/],
    ['multi.surbl.org', '127.0.0.1', /refuses/],
    ['multi.uribl.com', '127.0.0.1', /refuses/],
    ['unknown.example', '203.0.113.7', /not that of a block list/]
  ]
  for (const [list, code, message] of refusals) {
    t.match(decodeAnswer(list, [code]), { result: 'error', message, codes: [{ code }] }, code)
  }
})

test('a sum of bits has the meaning of each', async (t) => {
  t.match(decodeAnswer('multi.surbl.org', ['127.0.0.80']), {
    category: 'reputation',
    codes: [{ meaning: 'MW: malware; ABUSE: spam' }]
  })
  t.match(decodeAnswer('multi.uribl.com', ['127.0.0.4']), { category: 'policy' })
})

test('a code of an unknown list is a listing', async (t) => {
  t.match(decodeAnswer('bl.example', ['127.0.0.9']), { category: 'reputation' })
})

test('every answer is decoded, and 127.255.255.x alone is never a listing', async (t) => {
  const list = fc.constantFrom(ZEN, DBL, 'multi.surbl.org', 'multi.uribl.com', 'bl.example')
  fc.assert(
    fc.property(list, fc.array(fc.ipV4(), { maxLength: 4 }), fc.nat(255), (host, codes, last) => {
      const decoded = decodeAnswer(host, codes)
      const refused = decodeAnswer(host, [`127.255.255.${last}`])
      return ['clean', 'listed', 'error'].includes(decoded.result) && refused.result === 'error'
    })
  )
  t.pass()
})
