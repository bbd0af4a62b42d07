// A rolling window: counts in slots of equal length, of which only the recent ones are kept. Pure.

/** What is counted. `bounced` is both kinds of bounces. */
export interface Counters {
  readonly sent: number
  readonly delivered: number
  readonly bounced: number
  readonly hardBounced: number
  readonly softBounced: number
  readonly complained: number
  readonly failedToSend: number
}

/** Counters of a bucket without mail. */
export const NO_COUNTERS: Counters = {
  sent: 0,
  delivered: 0,
  bounced: 0,
  hardBounced: 0,
  softBounced: 0,
  complained: 0,
  failedToSend: 0
}

/** Something that is counted by itself. */
export type Counter = Exclude<keyof Counters, 'bounced'>

/** The counts of a slot; what is not there is 0. */
export interface Slot extends Partial<Record<Counter, number>> {
  /** Where the slot begins, in epoch milliseconds: a multiple of its length. */
  readonly at: number
}

/** Something that happened. */
export interface CountedEvent {
  readonly counter: Counter
  /** Epoch milliseconds. */
  readonly at: number
  /** How often. Default 1. */
  readonly times?: number
}

/** How a window is cut. */
export interface WindowShape {
  readonly slotMs: number
  readonly lengthMs: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Hours that low volumes are judged by. */
export const GUARD_HOURS = 168

/** The window of the rates, in minutes. */
export const minuteWindow = (minutes: number): WindowShape => ({
  slotMs: MINUTE_MS,
  lengthMs: minutes * MINUTE_MS
})

/** The week that low volumes are judged by, in hours. */
export const weekWindow: WindowShape = { slotMs: HOUR_MS, lengthMs: GUARD_HOURS * HOUR_MS }

/** Whether any part of a slot is within the window. */
const isWithin = (at: number, { slotMs, lengthMs }: WindowShape, now: number): boolean =>
  at + slotMs > now - lengthMs

/**
 * The slots with the events added, and without those that have left the window. An event from the future
 * counts as now.
 */
export function addToWindow(
  slots: readonly Slot[],
  events: readonly CountedEvent[],
  shape: WindowShape & { readonly now: number }
): Slot[] {
  const { slotMs, now } = shape
  const counted = new Map(slots.map((slot) => [slot.at, { ...slot }]))
  for (const { counter, at, times = 1 } of events) {
    const start = Math.floor(Math.min(at, now) / slotMs) * slotMs
    const slot: { at: number } & Partial<Record<Counter, number>> = counted.get(start) ?? {
      at: start
    }
    slot[counter] = (slot[counter] ?? 0) + times
    counted.set(start, slot)
  }
  return [...counted.values()]
    .filter(({ at }) => isWithin(at, shape, now))
    .sort((a, b) => a.at - b.at)
}

/** The counts of the window as it is now. */
export function countWindow(
  slots: readonly Slot[],
  shape: WindowShape & { readonly now: number }
): Counters {
  const recent = slots.filter(({ at }) => isWithin(at, shape, shape.now))
  const sum = (counter: Counter) => recent.reduce((all, slot) => all + (slot[counter] ?? 0), 0)
  const hardBounced = sum('hardBounced')
  const softBounced = sum('softBounced')
  return {
    sent: sum('sent'),
    delivered: sum('delivered'),
    bounced: hardBounced + softBounced,
    hardBounced,
    softBounced,
    complained: sum('complained'),
    failedToSend: sum('failedToSend')
  }
}
