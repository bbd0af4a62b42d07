// Names that a mistyped one may have meant.
import fc from 'fast-check'
import { test } from 'tap'
import { nearNames } from './near-names.ts'

const used = { 'user.signed_up': 214, 'user.signed_in': 900, 'order.placed': 50, 'app.opened': 3 }

for (const [wanted, near] of [
  ['user.signed_upp', ['user.signed_up', 'user.signed_in']],
  ['user.signd_in', ['user.signed_in', 'user.signed_up']],
  ['order.place', ['order.placed']],
  ['app.openend', ['app.opened']],
  ['invoice.paid', []],
  ['x', []]
] as const) {
  test(`${wanted} may mean ${near.join(' or ') || 'none of them'}`, async (t) => {
    t.same(
      nearNames(wanted, used).map(({ name }) => name),
      near
    )
  })
}

test('it says how often a name was used', async (t) => {
  t.same(nearNames('user.signed_upp', used)[0], { name: 'user.signed_up', count: 214 })
})

test('one letter more or less is near, whatever the name', async (t) => {
  const name = fc.string({ minLength: 3, maxLength: 40 }).filter((one) => one !== '__proto__')
  fc.assert(
    fc.property(name, fc.nat(), (given, seed) => {
      const at = seed % given.length
      const missing = given.slice(0, at) + given.slice(at + 1)
      return nearNames(missing, { [given]: 1 }).length === 1
    })
  )
  t.pass()
})
