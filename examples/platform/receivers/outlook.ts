// What Outlook's SNDS says about the address that the demo sends from: a row for each of the last days. Pure.
import { chanceFrom } from '../story/random.ts'

const DAY_MS = 86_400_000
const DAYS = 28
const ADDRESS = '192.0.2.10'
const FEWEST = 110
const SPREAD = 80

/** The data feed, the newest day last; a day is there when it is over. */
export function outlookFeed(now: Date, reportedOn: readonly string[]): string {
  const today = Math.floor(now.getTime() / DAY_MS)
  return Array.from({ length: DAYS }, (_, at) =>
    rowOf(new Date((today - DAYS + at) * DAY_MS), reportedOn)
  ).join('')
}

function rowOf(day: Date, reportedOn: readonly string[]): string {
  const mails = FEWEST + chanceFrom(Math.floor(day.getTime() / DAY_MS)).below(SPREAD)
  const isReported = reportedOn.includes(day.toISOString().slice(0, 10))
  const date = `${day.getUTCMonth() + 1}/${day.getUTCDate()}/${day.getUTCFullYear()}`
  const commands = [mails + 4, mails + 1, mails]
  const verdict = isReported ? ['YELLOW', '0.8%'] : ['GREEN', '< 0.1%']
  const traps = ['', '', '0']
  const samples = ['mail.acme.test', 'bounce@acme.test', '']
  const period = [`${date} 12:00 AM`, `${date} 3:00 PM`]
  return `${[ADDRESS, ...period, ...commands, ...verdict, ...traps, ...samples].join(',')}\r\n`
}
