// Labels of the time axis: pure.

const DAY = 24 * 3_600_000

/** How moments read at a distance between ticks, in milliseconds; a new day always says its date. */
export function timeLabels(
  ticks: readonly number[],
  distance: number,
  locale: string
): readonly string[] {
  const day = new Intl.DateTimeFormat(locale, dayOptions(distance))
  const clock = new Intl.DateTimeFormat(locale, {
    timeStyle: distance < 60_000 ? 'medium' : 'short',
    hourCycle: 'h23'
  })
  return ticks.map((tick) => {
    const isDay = distance >= DAY || new Date(tick).getHours() + new Date(tick).getMinutes() === 0
    return (isDay ? day : clock).format(tick)
  })
}

function dayOptions(distance: number): Intl.DateTimeFormatOptions {
  if (distance >= 28 * DAY) return { month: 'short', year: 'numeric' }
  return { day: 'numeric', [distance >= 3 * DAY ? 'month' : 'weekday']: 'short' }
}
