// Times as other services write them in CSV. Pure.

const DAY = '\\d{4}-\\d\\d-\\d\\d'
/** ISO 8601, also with a blank for the `T`. */
const ISO = new RegExp(
  `^${DAY}([T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?( ?(Z|UTC|[+-]\\d\\d:?\\d\\d))?)?$`
)
const HAS_ZONE = /(Z|UTC|[+-]\d\d:?\d\d)$/
const SECONDS = /^\d{9,10}$/
const MILLISECONDS = /^\d{12,13}$/
/** RFC 5322: `Tue, 07 Jan 2025 19:25:45 UTC`. */
const MAIL_TIME =
  /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(:\d\d)? (GMT|UTC|[+-]\d{4})$/

/** The time; one without a zone is UTC. Undefined for every form that can be read in two ways. */
export function timeOf(text: string): Date | undefined {
  const time = millisecondsOf(text.trim())
  return time === undefined || Number.isNaN(time) ? undefined : new Date(time)
}

function millisecondsOf(text: string): number | undefined {
  if (SECONDS.test(text)) return Number(text) * 1000
  if (MILLISECONDS.test(text)) return Number(text)
  if (MAIL_TIME.test(text)) return Date.parse(text)
  if (!ISO.test(text)) return undefined
  const iso = text
    .replace(' ', 'T')
    .replace(/ ?UTC$/, 'Z')
    .replace(' ', '')
  return Date.parse(text.length === 10 || HAS_ZONE.test(iso) ? iso : `${iso}Z`)
}
