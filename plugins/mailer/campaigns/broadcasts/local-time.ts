// When a broadcast in the recipients' own time reaches a contact. Pure.
import { isTimeZone, momentAt, wallTime } from '@keelson/sdk/zoned-time'

const DAY = 86_400_000

/**
 * The first moment from `scheduledAt` on at which clocks of the contact show what clocks of `homeZone` show at
 * `scheduledAt`. A contact without a known zone counts as one of `homeZone`. A clock time that the day leaves
 * out is the moment after the gap.
 */
export function localDueAt(
  scheduledAt: Date,
  timezone: string | undefined,
  homeZone: string
): Date {
  if (timezone === undefined || timezone === homeZone || !isTimeZone(timezone)) return scheduledAt
  const start = scheduledAt.getTime()
  const clockTime = wallTime(start, homeZone) % DAY
  const midnight = Math.floor(wallTime(start, timezone) / DAY) * DAY
  const today = momentAt(midnight + clockTime, timezone)
  return new Date(today >= start ? today : momentAt(midnight + DAY + clockTime, timezone))
}
