// A stretch of time in the life of the shop: visitors by the hour of the day, all their records in order.
import type { Chance } from './random.ts'
import type { StoryRecord } from './record.ts'
import { followVisitor } from './visitor.ts'

export interface StoryOptions {
  readonly from: Date
  readonly to: Date
  /** Visitors in an average hour. */
  readonly visitorsPerHour: number
  /** User ids are `<prefix><number>`. */
  readonly userPrefix: string
}

const HOUR_MS = 3_600_000

/** Busy by day, quiet by night, quieter on weekends; the average over a week is about 1. */
function busyness(atMs: number): number {
  const at = new Date(atMs)
  const byHour = 1 + 0.7 * Math.sin(((at.getUTCHours() - 9) / 24) * 2 * Math.PI)
  const isWeekend = at.getUTCDay() === 0 || at.getUTCDay() === 6
  return byHour * (isWeekend ? 0.6 : 1.15)
}

/** The shop grows: from three quarters of its average to five. */
const growth = (atMs: number, from: number, to: number): number =>
  0.75 + (0.5 * (atMs - from)) / (to - from)

/** Tells the story of a range; pure: the same chance tells the same story. */
export function tellStory(chance: Chance, options: StoryOptions): StoryRecord[] {
  const from = options.from.getTime()
  const to = options.to.getTime()
  const records: StoryRecord[] = []
  let visitor = 0
  for (let at = from; at < to; ) {
    const perHour = options.visitorsPerHour * Math.max(0.15, busyness(at)) * growth(at, from, to)
    at += chance.around(HOUR_MS / perHour)
    if (at >= to) break
    records.push(...followVisitor(chance, `${options.userPrefix}${visitor++}`, at, to))
  }
  return records.sort((a, b) => (a.occurredAt < b.occurredAt ? -1 : 1))
}
