// Finding addresses in any value.
import fc from 'fast-check'
import { test } from 'tap'
import { addressesIn } from './addresses-in.ts'

const EMAIL = "ann.o'hara+x@mail.example.test"
const token = Buffer.from(JSON.stringify({ e: EMAIL, s: 'all' })).toString('base64url')
const written: Readonly<Record<string, unknown>> = {
  'a text': EMAIL,
  'another case': EMAIL.toUpperCase(),
  'the end of a sentence': `They wrote from ${EMAIL}.`,
  'an actor': `human:${EMAIL}`,
  'angle brackets': `Ann <${EMAIL}>`,
  'a list': `bob@example.test,${EMAIL};eve@example.test`,
  'a separate line': `first\n${EMAIL}\nlast`,
  'a body in JSON': `[{"email":"bob@example.test"},{"email":"${EMAIL}"}]`,
  'a broken body in JSON': `[{"email":"bob@example.test"},{"email":"${EMAIL}"`,
  'a nested value': { a: [{ b: { c: EMAIL } }] },
  'a key': { [EMAIL]: true },
  'a query': `https://shop.example.test/?email=${encodeURIComponent(EMAIL)}&x=1`,
  'base64 with slashes': Buffer.from(`??>~~~?${EMAIL}`).toString('base64'),
  'a signed link': `https://mail.example.test/m/unsub/${token}.c2lnbmF0dXJl`
}
for (const [where, value] of Object.entries(written)) {
  test(`an address is found in ${where}`, async (t) => {
    t.ok(addressesIn(value).includes(EMAIL), JSON.stringify(addressesIn(value)))
  })
}

test('values without an address have none, and cycles end', async (t) => {
  const cycle: Record<string, unknown> = { text: 'no address', count: 5, at: new Date() }
  cycle['self'] = cycle
  t.same(addressesIn(cycle), [])
  t.same(addressesIn(undefined), [])
})

test('long texts without spaces are read in bounded steps', async (t) => {
  t.same(addressesIn(`${'x'.repeat(300)}@`), [])
  const many = addressesIn(`${'y'.repeat(1_000_000)}@example.test${'@'.repeat(1_000_000)}`)
  t.same(many, [`${'y'.repeat(255)}@example.test`])
})

test('any loose address is found behind any delimiter', async () => {
  const local = fc.stringMatching(/^[a-z0-9!#$%*+_.~^-]{1,20}$/)
  const domain = fc.stringMatching(/^[a-z0-9]{1,10}\.[a-z]{2,6}$/)
  const before = fc.constantFrom('', 'human:', '<', '(', 'email=', 'a, ', '"', "'")
  fc.assert(
    fc.property(local, domain, before, (name, host, prefix) =>
      addressesIn({ note: `${prefix}${name}@${host}` }).includes(`${name}@${host}`)
    )
  )
})
