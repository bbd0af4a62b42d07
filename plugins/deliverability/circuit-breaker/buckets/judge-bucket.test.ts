// When a bucket trips, degrades and warns.
import { Value } from '@keelson/sdk/typebox'
import fc from 'fast-check'
import { test } from 'tap'
import { type BreakerSettings, configSchema } from '../config.ts'
import { chanceOfAtLeast } from './binomial.ts'
import { effectiveOverallStatus, judgeBucket } from './judge-bucket.ts'
import { type Counters, NO_COUNTERS } from './window.ts'

const defaults = Value.Create(configSchema) as BreakerSettings
const counters = (given: Partial<Counters>): Counters => ({ ...NO_COUNTERS, ...given })
const judge = (window: Partial<Counters>, week = window) =>
  judgeBucket({ window: counters(window), week: counters(week) }, defaults)

test('a rate over its limit trips, one of exactly the limit does not, and the first is the reason', async (t) => {
  t.match(judge({ sent: 100, hardBounced: 3, bounced: 3 }), {
    status: 'tripped',
    reason: {
      message: 'Hard bounces 3% of 100 mails in 60 minutes, limit 2%.',
      said: [
        { code: 'breaker.trip.hardBounce', facts: { rate: 3, sent: 100, minutes: 60, limit: 2 } }
      ]
    }
  })
  t.match(judge({ sent: 1000, complained: 4 }).reason?.message, /^Complaints 0\.4% of 1000 mails/)
  t.match(judge({ sent: 100, softBounced: 6, bounced: 6 }).reason?.message, /^Bounces 6%/)
  t.equal(judge({ sent: 100, hardBounced: 2, bounced: 2 }).status, 'healthy')
  t.equal(judge({ sent: 1000, complained: 3 }).status, 'healthy')
  t.equal(judge({ sent: 100, softBounced: 5, bounced: 5 }).status, 'healthy')
  const all = { sent: 100, hardBounced: 50, bounced: 50, complained: 50 }
  t.match(judge(all).reason?.message, /^Hard bounces/)
  t.match(judge({ sent: 101, hardBounced: 2, bounced: 2, complained: 0 }), {
    status: 'healthy',
    reason: null
  })
})

test('failed hand-overs degrade, even when not one mail was sent', async (t) => {
  t.equal(judge({ sent: 89, failedToSend: 11 }).status, 'degraded')
  t.equal(judge({ sent: 90, failedToSend: 10 }).status, 'healthy')
  t.equal(judge({ sent: 0, failedToSend: 100 }).status, 'degraded')
  t.equal(judge({ sent: 91, failedToSend: 9 }).status, 'healthy')
  t.equal(judge({ sent: 0, failedToSend: 99 }).status, 'healthy')
})

test('low volumes never trip, and warn only when chance does not explain the rate', async (t) => {
  t.equal(judge({ sent: 4, hardBounced: 1, bounced: 1 }).warning, null, 'one in four')
  t.equal(judge({ sent: 1, complained: 1 }).warning, null, 'one of one')
  t.match(judge({ sent: 20, hardBounced: 4, bounced: 4 }), {
    status: 'healthy',
    warning: { message: /^Hard bounces 20% of 20 mails in 7 days, limit 2%/ }
  })
  const week = { sent: 300, hardBounced: 15, bounced: 15 }
  t.match(
    judge({ sent: 3 }, week).warning?.message,
    /^Hard bounces 5% of 300/,
    'a week is looked at'
  )
})

test('whatever the counts, nothing trips below the minimum or below its limits', async () => {
  const count = fc.nat({ max: 400 })
  fc.assert(
    fc.property(count, count, count, count, count, (sent, hard, soft, complained, failed) => {
      const window = counters({
        sent,
        hardBounced: hard,
        softBounced: soft,
        bounced: hard + soft,
        complained,
        failedToSend: failed
      })
      const { status, reason, warning } = judgeBucket({ window, week: window }, defaults)
      const isOver =
        hard * 100 > 2 * sent || complained * 1000 > 3 * sent || (hard + soft) * 100 > 5 * sent
      const trips = sent >= 100 && isOver
      return (status === 'tripped') === trips && (reason !== null) === trips && !(trips && warning)
    })
  )
})

test('the chance of a count is the exact tail of the binomial distribution', async (t) => {
  const near = (found: number, expected: number) =>
    t.ok(Math.abs(found - expected) < 1e-9, `${found} is ${expected}`)
  near(chanceOfAtLeast(1, 4, 0.02), 1 - 0.98 ** 4)
  near(chanceOfAtLeast(4, 4, 0.5), 0.0625)
  near(chanceOfAtLeast(2, 3, 0.1), 3 * 0.01 * 0.9 + 0.001)
  t.equal(chanceOfAtLeast(0, 10, 0.1), 1)
  t.equal(chanceOfAtLeast(11, 10, 0.1), 0)
  fc.assert(
    fc.property(fc.nat(200), fc.nat(200), fc.double({ min: 0, max: 1, noNaN: true }), (k, n, p) => {
      const chance = chanceOfAtLeast(k, n, p)
      return chance >= 0 && chance <= 1 && chanceOfAtLeast(k + 1, n, p) <= chance
    })
  )
})

test('the overall status is that of the worst bucket', async (t) => {
  const overall = (...list: ('healthy' | 'degraded' | 'tripped')[]) =>
    effectiveOverallStatus(list.map((status) => ({ status })))
  t.equal(overall(), 'healthy')
  t.equal(overall('healthy', 'degraded'), 'degraded')
  t.equal(overall('degraded', 'tripped', 'healthy'), 'tripped')
})
