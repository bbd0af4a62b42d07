// Days in the address of the Sends page as moments for the API.
import { test } from 'tap'
import { recentDays, selectionOf } from './selection.ts'

const cases: readonly (readonly [string, object, object])[] = [
  ['UTC', { from: '2026-11-20', to: '2026-11-20' }, ['2026-11-20T00:00', '2026-11-21T00:00']],
  ['Europe/Berlin', { from: '2026-07-01' }, ['2026-06-30T22:00', undefined]],
  // The day on which clocks go back has 25 hours.
  [
    'Europe/Berlin',
    { from: '2026-10-25', to: '2026-10-25' },
    ['2026-10-24T22:00', '2026-10-25T23:00']
  ]
]
for (const [zone, days, moments] of cases) {
  test(`${JSON.stringify(days)} in ${zone} is the whole day there`, async (t) => {
    const { from, to, status } = selectionOf({ status: 'sent', ...days }, zone)
    t.equal(status, 'sent')
    t.same(
      [from, to].map((at) => at?.slice(0, 16)),
      moments
    )
  })
}

test('what is not a day stays as it was typed, for the API to refuse', async (t) => {
  for (const from of ['yesterday', '2026-13-01', '20.11.2026'])
    t.equal(selectionOf({ from }, 'UTC').from, from)
})

test('days to offer are those of the reader', async (t) => {
  const now = Date.parse('2026-11-27T23:30Z')
  t.same(recentDays(now, 'UTC'), ['2026-11-27', '2026-11-26', '2026-11-20', '2026-10-28'])
  t.equal(recentDays(now, 'Asia/Tokyo')[0], '2026-11-28')
})
