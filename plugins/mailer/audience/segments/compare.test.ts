// Comparisons of fields with numbers and dates.
import { test } from 'tap'
import { type Bound, type Comparison, compares, isNear } from './compare.ts'

const cases: readonly (readonly [unknown, Comparison, Bound, boolean])[] = [
  [5, 'gt', 4, true],
  [4, 'gt', 4, false],
  [4, 'gte', 4, true],
  [3, 'lt', 4, true],
  [4, 'lte', 4, true],
  ['5', 'gt', 4, false],
  [null, 'lt', 4, false],
  [undefined, 'lt', 4, false],
  [Number.NaN, 'lt', 4, false],
  [true, 'gte', 1, false],
  ['2026-03-02', 'gt', '2026-03-01', true],
  ['2026-03-01T10:00:00+02:00', 'lt', '2026-03-01T09:00:00Z', true],
  [new Date('2026-03-02'), 'lte', '2026-03-02', true],
  [new Date('no'), 'lte', '2026-03-02', false],
  [20260302, 'gt', '2026-03-01', false],
  ['soon', 'gt', '2026-03-01', false],
  ['2026-99-99', 'gt', '2026-03-01', false]
]
for (const [value, operator, bound, expected] of cases) {
  test(`${String(value)} ${operator} ${bound} is ${expected}`, async (t) => {
    t.equal(compares(value, operator, bound), expected)
  })
}

test('a date is near in the past or the future, not in both', async (t) => {
  const now = new Date('2026-03-10T00:00:00Z')
  t.ok(isNear('2026-03-08', { days: 3 }, now))
  t.notOk(isNear('2026-03-01', { days: 3 }, now))
  t.notOk(isNear('2026-03-12', { days: 3 }, now))
  t.ok(isNear(new Date('2026-03-12'), { days: 3, direction: 'future' }, now))
  t.notOk(isNear('2026-03-08', { days: 3, direction: 'future' }, now))
  t.notOk(isNear(7, { days: 3 }, now))
})
