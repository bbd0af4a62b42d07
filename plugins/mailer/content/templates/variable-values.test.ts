// What variables are for a contact.
import { test } from 'tap'
import { valuesOf } from './variable-values.ts'

const roots = {
  contact: { email: 'a@acme.test', fields: { name: 'Ada', seats: 0, tags: [], born: new Date(0) } },
  vars: { code: 'C-1', list: [{ a: 1 }], long: 'x'.repeat(300) },
  shop: { city: '' }
}
const values = (...paths: readonly string[]) => valuesOf(paths, roots, {})

test('a value is text; what would print nothing is missing', async (t) => {
  t.same(
    values('contact.fields.name', 'contact.fields.seats', 'contact.fields.born', 'vars.list'),
    [
      { path: 'contact.fields.name', value: 'Ada', isMissing: false },
      { path: 'contact.fields.seats', value: '0', isMissing: false },
      { path: 'contact.fields.born', value: '1970-01-01T00:00:00.000Z', isMissing: false },
      { path: 'vars.list', value: '[{"a":1}]', isMissing: false }
    ]
  )
  const missing = [
    'contact.fields.tags',
    'contact.fields.none.deep',
    'shop.city',
    'vars.constructor'
  ]
  for (const one of values(...missing)) t.equal(one.isMissing, true, one.path)
  t.equal(values('vars.long')[0]?.value?.length, 201)
})

test('defaults are filled, and declared variables are listed though nothing uses them', async (t) => {
  const specs = {
    code: { type: 'string' },
    plan: { type: 'string', defaultValue: 'free' },
    seats: { type: 'number' }
  } as const
  t.same(valuesOf(['vars.plan'], roots, specs), [
    { path: 'vars.plan', value: 'free', isMissing: false },
    { path: 'vars.code', value: 'C-1', isMissing: false },
    { path: 'vars.seats', value: '', isMissing: true }
  ])
})

test('an address that is made for each mail is not answered', async (t) => {
  t.same(
    valuesOf(['unsubscribeUrl'], { ...roots, unsubscribeUrl: 'https://a.test/m/unsub/t' }, {}),
    [{ path: 'unsubscribeUrl', isMissing: false }]
  )
})
