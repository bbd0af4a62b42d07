// One mailbox, one form: what is equal, what is refused, and where rows of before are found.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'tap'
import {
  addressForms,
  addressHash,
  addressHashes,
  domainOf,
  isMailable,
  normalAddress
} from './address.ts'

const SAME: readonly (readonly string[])[] = [
  ['Ann@Example.TEST', ' ann@example.test ', 'ANN@EXAMPLE.TEST'],
  [
    'info@münchen.example',
    'Info@MÜNCHEN.example',
    'info@xn--mnchen-3ya.example',
    'info@XN--MNCHEN-3YA.example'
  ],
  ['a@bücher.münchen.example', 'a@xn--bcher-kva.xn--mnchen-3ya.example'],
  ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
  ['пример@пример.рф', 'Пример@xn--e1afmkfd.xn--p1ai']
]

test('the spellings of one mailbox are one address with one hash', async (t) => {
  for (const spellings of SAME) {
    t.equal(new Set(spellings.map(normalAddress)).size, 1, spellings.join())
    t.equal(new Set(spellings.map(addressHash)).size, 1)
    t.equal(new Set(spellings.map(domainOf)).size, 1)
  }
  t.equal(new Set(SAME.map(([one = '']) => normalAddress(one))).size, SAME.length)
})

test('plus parts and dots stay, since they are different mailboxes for most servers', async (t) => {
  const all = ['ann@example.test', 'ann+news@example.test', 'a.nn@example.test']
  t.same(all.map(normalAddress), all)
})

test('the form of a form is itself, and a domain that cannot be converted stays', async (t) => {
  const texts = fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(texts, ([local, domain]) => {
      const once = normalAddress(`${local}@${domain}`)
      return normalAddress(once) === once
    }),
    { numRuns: 2000 }
  )
  t.equal(normalAddress('a@ü b'), 'a@ü b')
})

test('names and angle brackets are not an address', async (t) => {
  const refused = [
    '<ann@example.test>',
    'Ann <ann@example.test>',
    'Ann<ann@example.test>',
    '"Ann"<ann@example.test>',
    'ann@example.test>',
    'ann@b@example.test',
    'ann example@test',
    'ann'
  ]
  for (const text of refused) t.equal(isMailable(text), false, text)
  for (const text of ['ann@example.test', 'info@münchen.example', "o'neil+a@b.test"])
    t.equal(isMailable(text), true, text)
})

test('rows of an address in Unicode are found by its one form', async (t) => {
  const before = createHash('sha256').update('info@münchen.example').digest('hex')
  for (const spelling of SAME[1] ?? []) {
    t.equal(addressHashes(spelling)[0], addressHash(spelling))
    t.ok(addressHashes(spelling).includes(before), spelling)
    t.ok(addressForms(spelling).includes('info@münchen.example'))
  }
  t.same(addressForms('Ann@example.test'), ['ann@example.test'])
})
