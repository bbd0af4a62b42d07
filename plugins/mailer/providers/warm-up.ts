// How much mail may leave now while a sender is new to a mailbox provider: a little more each day.

/** How the mail to one mailbox provider grows. */
export interface WarmUpSchedule {
  /** The first day, `2026-11-22`, UTC. Before it nothing leaves. */
  readonly startsOn: string
  /** Mails on the first day. */
  readonly startPerDay: number
  /** Each day has this many times the mails of the day before, at least 1. */
  readonly growth: number
  /** Days never have more than this. */
  readonly capPerDay: number
}

/** How many mails may leave now, and from when on there may be more. */
export interface WarmUpAllowance {
  readonly now: number
  readonly nextAt: Date
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Mails that a day of the schedule may have in all; 0 before it starts. */
export function dailyVolume(schedule: WarmUpSchedule, at: Date): number {
  const day = Math.floor((at.getTime() - Date.parse(schedule.startsOn)) / DAY)
  if (day < 0) return 0
  // The growth of a long schedule is Infinity, and the cap below it.
  return Math.floor(Math.min(schedule.capPerDay, schedule.startPerDay * schedule.growth ** day))
}

/**
 * What may leave now. The volume of a day (UTC) is spread over its hours, because mailbox providers judge
 * bursts; what an hour leaves over may leave later in the day. `sentToday` counts mail to this mailbox
 * provider since midnight UTC.
 */
export function warmUpAllowance(
  schedule: WarmUpSchedule,
  sentToday: number,
  at: Date
): WarmUpAllowance {
  const time = at.getTime()
  const starts = Date.parse(schedule.startsOn)
  if (time < starts) return { now: 0, nextAt: new Date(starts) }
  const volume = dailyVolume(schedule, at)
  const hoursBegun = Math.floor((time % DAY) / HOUR) + 1
  const due = Math.ceil((volume * hoursBegun) / 24)
  const isDayFull = sentToday >= volume
  const nextAt = (Math.floor(time / (isDayFull ? DAY : HOUR)) + 1) * (isDayFull ? DAY : HOUR)
  return { now: Math.max(0, due - sentToday), nextAt: new Date(nextAt) }
}
