// When a vendor wants to be asked again.
import { test } from 'tap'
import { retryAfterSeconds } from './judge-answer.ts'

const now = new Date('2026-03-01T10:00:00Z')
const wait = (headers: Readonly<Record<string, string>>) =>
  retryAfterSeconds(new Map(Object.entries(headers)), now)

test('Retry-After is seconds or a date; without it the reset of the rate limit counts', async (t) => {
  t.equal(wait({ 'retry-after': '7' }), 7)
  t.equal(wait({ 'retry-after': 'Sun, 01 Mar 2026 10:01:00 GMT' }), 60)
  t.equal(wait({ 'x-ratelimit-reset': String(now.getTime() / 1000 + 30) }), 30)
  t.equal(wait({ 'retry-after': '5', 'x-ratelimit-reset': '9999999999' }), 5)
})

test('a wait is a day at most, and none when it makes no sense', async (t) => {
  t.equal(wait({ 'retry-after': '999999999999999999999' }), 86_400)
  for (const value of ['', '-5', '0', 'soon', 'Sun, 01 Mar 2020 10:01:00 GMT', '7 seconds'])
    t.equal(wait({ 'retry-after': value }), undefined, value)
  t.equal(wait({ 'x-ratelimit-reset': 'x' }), undefined)
  t.equal(wait({}), undefined)
})
