// Labels of the time axis: pure.

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** How moments read at a distance between ticks, in milliseconds; a new day always says its date. */
export function timeLabels(
  ticks: readonly number[],
  distance: number,
  locale: string
): readonly string[] {
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric' })
  const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric' })
  const clock = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(distance < 60_000 && { second: '2-digit' })
  })
  return ticks.map((tick) => {
    if (distance >= 28 * DAY) return month.format(tick)
    if (distance >= 3 * DAY) return day.format(tick)
    if (distance >= DAY) return weekday.format(tick)
    return isMidnight(tick) ? weekday.format(tick) : clock.format(tick)
  })
}

function isMidnight(tick: number): boolean {
  const at = new Date(tick)
  return at.getHours() === 0 && at.getMinutes() === 0 && at.getSeconds() === 0
}
