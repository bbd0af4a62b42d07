// The rolling window, against a model that keeps every event.
import fc from 'fast-check'
import { test } from 'tap'
import {
  addToWindow,
  type CountedEvent,
  type Counter,
  countWindow,
  minuteWindow,
  type Slot
} from './window.ts'

const MINUTE = 60_000
const start = Date.parse('2026-03-01T10:00:00Z')
const counters: readonly Counter[] = ['sent', 'delivered', 'hardBounced', 'softBounced']

const event = fc.record({
  counter: fc.constantFrom(...counters),
  /** Minutes that it is late (positive) or from the future (negative). */
  late: fc.integer({ min: -30, max: 90 * 60 })
})
const page = fc.record({
  wait: fc.integer({ min: 0, max: 40 * MINUTE }),
  events: fc.array(event, { maxLength: 20 })
})

test('the window counts what is in its slots, however late and in whatever pages it comes', async () => {
  fc.assert(
    fc.property(
      fc.array(page, { maxLength: 12 }),
      fc.integer({ min: 1, max: 120 }),
      (pages, windowMinutes) => {
        const shape = minuteWindow(windowMinutes)
        let slots: readonly Slot[] = []
        let now = start
        const all: CountedEvent[] = []
        for (const { wait, events } of pages) {
          now += wait
          const counted = events.map(({ counter, late }) => ({ counter, at: now - late * 1000 }))
          all.push(...counted.map(({ counter, at }) => ({ counter, at: Math.min(at, now) })))
          slots = addToWindow(slots, counted, { ...shape, now })
        }
        const found = countWindow(slots, { ...shape, now })
        for (const counter of counters) {
          const expected = all.filter(
            (each) =>
              each.counter === counter &&
              Math.floor(each.at / MINUTE) * MINUTE + MINUTE > now - shape.lengthMs
          )
          if (found[counter] !== expected.length) return false
        }
        return slots.length <= windowMinutes + 1
      }
    )
  )
})

test('an event leaves the window as time passes, without any new event', async (t) => {
  const shape = minuteWindow(60)
  const slots = addToWindow([], [{ counter: 'sent', at: start }], { ...shape, now: start })
  const sentAfter = (minutes: number) =>
    countWindow(slots, { ...shape, now: start + minutes * MINUTE }).sent
  t.same([0, 59, 60, 61].map(sentAfter), [1, 1, 1, 0])
})
