// The schedules that people choose, as cron expressions and back. Pure.

/** How often. `custom`: what only a cron expression says. */
export const REPEATS = ['day', 'workday', 'week', 'month', 'custom'] as const
export type Repeat = (typeof REPEATS)[number]

/** A schedule as it is chosen. Times are UTC. */
export interface Schedule {
  readonly repeat: Repeat
  /** As a time field has it: `09:00`. */
  readonly time: string
  /** 0 is Sunday. Counts for `week`. */
  readonly weekday: number
  /** 1 to 28, so that every month has it. Counts for `month`. */
  readonly day: number
  /** Counts for `custom`. */
  readonly cron: string
}

export const MOST_DAYS = 28
const SHAPE = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|1-5|[0-7])$/
const NINE: Schedule = { repeat: 'week', time: '09:00', weekday: 1, day: 1, cron: '' }

/** 2023-01-01 was a Sunday. */
export const weekdayOf = (weekday: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2023, 0, 1 + weekday)
  )

const two = (value: number): string => String(value).padStart(2, '0')

/** What a cron expression says; `custom` when no choice says the same. */
export function readSchedule(cron: string): Schedule {
  const custom: Schedule = { ...NINE, repeat: 'custom', cron }
  const [, minute, hour, day = '', weekday = ''] =
    SHAPE.exec(cron.trim().replace(/\s+/g, ' ')) ?? []
  if (minute === undefined || Number(minute) > 59 || Number(hour) > 23) return custom
  const at = { ...NINE, cron, time: `${two(Number(hour))}:${two(Number(minute))}` }
  if (day !== '*') {
    const isFit = weekday === '*' && Number(day) >= 1 && Number(day) <= MOST_DAYS
    return isFit ? { ...at, repeat: 'month', day: Number(day) } : custom
  }
  if (weekday === '*') return { ...at, repeat: 'day' }
  if (weekday === '1-5') return { ...at, repeat: 'workday' }
  return { ...at, repeat: 'week', weekday: Number(weekday) % 7 }
}

/** The cron expression of a schedule. */
export function cronOf({ repeat, time, weekday, day, cron }: Schedule): string {
  if (repeat === 'custom') return cron
  const [hour, minute] = time.split(':').map(Number)
  const days =
    repeat === 'month' ? `${day} * *` : `* * ${{ day: '*', workday: '1-5', week: weekday }[repeat]}`
  return `${minute ?? 0} ${hour ?? 0} ${days}`
}
