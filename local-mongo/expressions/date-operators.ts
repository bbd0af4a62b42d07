// Operators on dates.
import { Int32, Long, ObjectId, Timestamp } from 'bson'
import { toWhole } from '../bson/numbers.ts'
import { type Doc, isDoc, isNumeric, type Value } from '../bson/value.ts'
import { CommandError, commandError } from '../errors.ts'
import {
  addUnits,
  type DateParts,
  dateOf,
  datePartsOf,
  diffUnits,
  isoYearStart,
  isTimeUnit,
  type TimeUnit,
  truncateDate,
  weekdayNumber
} from './calendar.ts'
import { defaultFormat, formatDate, readDate } from './date-format.ts'
import { parseDate } from './date-parse.ts'
import { isNothing, MISSING, type Result, typeOf } from './expression.ts'
import { type NamedArguments, named, needText } from './operator-arguments.ts'
import { combine, type OperatorParser, parseExpression } from './parse-expression.ts'
import { fromLocal, type TimeZone, timeZone, UTC, utcMillis } from './time-zone.ts'

/** A date, or what holds one; fails for other types. */
function needDate(value: Result, name: string): Date {
  if (value instanceof Date) {
    if (!Number.isNaN(value.getTime())) return value
    throw commandError('Overflow', `${name}: the date is out of range`)
  }
  if (value instanceof ObjectId) return value.getTimestamp()
  if (value instanceof Timestamp) return new Date(value.t * 1000)
  throw commandError(
    'Location16006',
    `can't convert from BSON type ${typeOf(value)} to Date in ${name}`
  )
}

/** The zone of an argument: UTC when it is absent, undefined when it is null. */
function zoneOf(value: Result, isGiven: boolean): TimeZone | undefined {
  if (!isGiven) return UTC
  if (isNothing(value)) return undefined
  return timeZone(needText(value, 'timezone', 'Location40517'))
}

function part(name: string, read: (parts: DateParts) => number, isLong = false): OperatorParser {
  return (argument, context) => {
    const wrapped = Array.isArray(argument) && argument.length === 1 ? argument[0] : argument
    const isNamed = isDoc(wrapped) && (wrapped.has('date') || wrapped.has('timezone'))
    const object: Doc = isNamed ? wrapped : new Map([['date', wrapped]])
    const parser = named(
      ['date'],
      ['timezone'],
      ({ date = MISSING, timezone = MISSING }, _context, given) => {
        const zone = zoneOf(timezone, given.has('timezone'))
        if (isNothing(date) || zone === undefined) return null
        const value = read(datePartsOf(needDate(date, name), zone))
        return isLong ? Long.fromNumber(value) : new Int32(value)
      }
    )
    return parser(object, context, name)
  }
}

function unitOf(value: Value, name: string): TimeUnit {
  const text = needText(value, `${name} requires 'unit' to be a string: it`, 'Location5439013')
  if (isTimeUnit(text)) return text
  throw commandError(
    'FailedToParse',
    `${name} parameter 'unit' value cannot be recognized as a time unit: ${text}`
  )
}

function weekStart(value: Result, isGiven: boolean, name: string): number | undefined {
  if (!isGiven) return 0
  if (isNothing(value)) return undefined
  const day = weekdayNumber(
    needText(value, `${name} requires 'startOfWeek' to be a string: it`, 'Location5439015')
  )
  if (day === undefined)
    throw commandError(
      'FailedToParse',
      `${name} parameter 'startOfWeek' value cannot be recognized as a day of a week`
    )
  return day
}

function needWhole(value: Value, what: string, code: `Location${number}`): number {
  const whole = isNumeric(value) ? toWhole(value) : undefined
  if (whole === undefined)
    throw commandError(code, `${what} must be a whole number, but is ${typeOf(value)}`)
  return Number(whole)
}

function adder(name: string, sign: 1 | -1): OperatorParser {
  return named(['startDate', 'unit', 'amount'], ['timezone'], (values, _context, given) => {
    const { startDate = MISSING, unit = MISSING, amount = MISSING, timezone = MISSING } = values
    const zone = zoneOf(timezone, given.has('timezone'))
    if (isNothing(startDate) || isNothing(unit) || isNothing(amount) || zone === undefined)
      return null
    const count = needWhole(amount, `${name} 'amount'`, 'Location5166405')
    return addUnits(needDate(startDate, name), unitOf(unit, name), sign * count, zone, name)
  })
}

const dateDiff = named(
  ['startDate', 'endDate', 'unit'],
  ['timezone', 'startOfWeek'],
  (values, _context, given) => {
    const {
      startDate = MISSING,
      endDate = MISSING,
      unit = MISSING,
      timezone = MISSING,
      startOfWeek = MISSING
    } = values
    const zone = zoneOf(timezone, given.has('timezone'))
    const weekday = weekStart(startOfWeek, given.has('startOfWeek'), '$dateDiff')
    if (isNothing(startDate) || isNothing(endDate) || isNothing(unit) || zone === undefined)
      return null
    if (weekday === undefined) return null
    const [start, end] = [needDate(startDate, '$dateDiff'), needDate(endDate, '$dateDiff')]
    return Long.fromNumber(diffUnits(start, end, unitOf(unit, '$dateDiff'), zone, weekday))
  }
)

const LARGEST_BIN = 100_000_000_000

const dateTrunc = named(
  ['date', 'unit'],
  ['binSize', 'timezone', 'startOfWeek'],
  (values, _context, given) => {
    const {
      date = MISSING,
      unit = MISSING,
      binSize = MISSING,
      timezone = MISSING,
      startOfWeek = MISSING
    } = values
    const zone = zoneOf(timezone, given.has('timezone'))
    const weekday = weekStart(startOfWeek, given.has('startOfWeek'), '$dateTrunc')
    const isWithoutBin = given.has('binSize') && isNothing(binSize)
    if (
      isNothing(date) ||
      isNothing(unit) ||
      zone === undefined ||
      weekday === undefined ||
      isWithoutBin
    )
      return null
    const size = isNothing(binSize)
      ? 1
      : needWhole(binSize, "$dateTrunc 'binSize'", 'Location5439017')
    if (size <= 0 || size > LARGEST_BIN) {
      throw commandError(
        'Location5439018',
        `$dateTrunc requires 'binSize' to be greater than 0, but got value ${size}`
      )
    }
    return truncateDate(
      needDate(date, '$dateTrunc'),
      unitOf(unit, '$dateTrunc'),
      size,
      zone,
      weekday
    )
  }
)

const dateToString = named(
  ['date'],
  ['format', 'timezone', 'onNull'],
  (values, _context, given) => {
    const { date = MISSING, format = MISSING, timezone = MISSING, onNull = MISSING } = values
    const zone = zoneOf(timezone, given.has('timezone'))
    if (isNothing(date)) return given.has('onNull') ? onNull : null
    if (zone === undefined || (given.has('format') && isNothing(format))) return null
    const pattern = isNothing(format)
      ? defaultFormat(zone)
      : needText(format, "$dateToString requires that 'format' be a string: it", 'Location18533')
    return formatDate(needDate(date, '$dateToString'), pattern, zone)
  }
)

const dateFromString: OperatorParser = (argument, context, name) => {
  const parser = named(['dateString'], ['format', 'timezone', 'onNull'], readString)
  const rest: Doc = isDoc(argument) ? new Map(argument) : new Map()
  const hasOnError = rest.delete('onError')
  const plain = parser(isDoc(argument) ? rest : argument, context, name)
  if (!hasOnError || !isDoc(argument)) return plain
  const onError = parseExpression(argument.get('onError'), context)
  return combine([plain, onError], (env) => {
    try {
      return plain.evaluate(env)
    } catch (error) {
      if (error instanceof CommandError) return onError.evaluate(env)
      throw error
    }
  })
}

function readString(
  { dateString = MISSING, format = MISSING, timezone = MISSING, onNull = MISSING }: NamedArguments,
  _context: unknown,
  given: ReadonlySet<string>
): Result {
  if (isNothing(dateString)) return given.has('onNull') ? onNull : null
  const zone = zoneOf(timezone, given.has('timezone'))
  if (zone === undefined || (given.has('format') && isNothing(format))) return null
  if (typeof dateString !== 'string') {
    throw commandError(
      'ConversionFailure',
      `$dateFromString requires that 'dateString' be a string, found: ${typeOf(dateString)}`
    )
  }
  if (isNothing(format)) return parseDate(dateString, zone)
  return readDate(
    dateString,
    needText(format, "$dateFromString requires that 'format' be a string: it", 'Location40684'),
    zone
  )
}

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond']
const ISO_PARTS = ['isoWeekYear', 'isoWeek', 'isoDayOfWeek']

const dateFromParts: OperatorParser = (argument, context, name) => {
  const isIso = isDoc(argument) && argument.has('isoWeekYear')
  const times = PARTS.slice(3)
  const required = isIso ? ['isoWeekYear'] : ['year']
  const optional = [...(isIso ? ISO_PARTS : PARTS).slice(1, 3), ...times, 'timezone']
  return named(required, optional, fromParts)(argument, context, name)
}

function fromParts(values: NamedArguments, _context: unknown, given: ReadonlySet<string>): Result {
  const zone = zoneOf(values['timezone'] ?? MISSING, given.has('timezone'))
  const names = [...given].filter((name) => name !== 'timezone')
  if (zone === undefined || names.some((name) => isNothing(values[name] ?? MISSING))) return null
  const read = (name: string, otherwise: number): number => {
    const value = values[name] ?? MISSING
    if (value === MISSING || isNothing(value)) return otherwise
    const number = needWhole(value, `'${name}' in $dateFromParts`, 'Location40515')
    if (Math.abs(number) <= 32_767) return number
    throw commandError(
      'Location31034',
      `'${name}' must evaluate to a value in the range [-32768, 32767]; value ${number} is not in range`
    )
  }
  const time = {
    hour: read('hour', 0),
    minute: read('minute', 0),
    second: read('second', 0),
    millisecond: read('millisecond', 0)
  }
  const local = given.has('isoWeekYear')
    ? isoYearStart(yearIn(read('isoWeekYear', 1970))) +
      ((read('isoWeek', 1) - 1) * 7 + read('isoDayOfWeek', 1) - 1) * 86_400_000 +
      utcMillis(1970, 0, 1, time)
    : utcMillis(yearIn(read('year', 1970)), read('month', 1) - 1, read('day', 1), time)
  return dateOf(fromLocal(local, zone), '$dateFromParts')
}

function yearIn(year: number): number {
  if (year >= 1 && year <= 9999) return year
  throw commandError(
    'Location40523',
    `'year' must evaluate to an integer in the range 1 to 9999, found ${year}`
  )
}

const dateToParts = named(['date'], ['timezone', 'iso8601'], (values, _context, given) => {
  const { date = MISSING, timezone = MISSING, iso8601 = MISSING } = values
  const zone = zoneOf(timezone, given.has('timezone'))
  if (isNothing(date) || zone === undefined || (given.has('iso8601') && isNothing(iso8601)))
    return null
  if (given.has('iso8601') && typeof iso8601 !== 'boolean') {
    throw commandError('Location40521', `iso8601 must evaluate to a bool, found ${typeOf(iso8601)}`)
  }
  const parts = datePartsOf(needDate(date, '$dateToParts'), zone)
  const days: (readonly [string, number])[] =
    iso8601 === true
      ? [
          ['isoWeekYear', parts.isoYear],
          ['isoWeek', parts.isoWeek],
          ['isoDayOfWeek', parts.isoWeekday]
        ]
      : [
          ['year', parts.year],
          ['month', parts.month],
          ['day', parts.day]
        ]
  const times = (['hour', 'minute', 'second', 'millisecond'] as const).map(
    (name) => [name, parts[name]] as const
  )
  return new Map([...days, ...times].map(([name, value]) => [name, new Int32(value)]))
})

export const DATES: Readonly<Record<string, OperatorParser>> = {
  $year: part('$year', ({ year }) => year),
  $month: part('$month', ({ month }) => month),
  $dayOfMonth: part('$dayOfMonth', ({ day }) => day),
  $dayOfYear: part('$dayOfYear', ({ dayOfYear }) => dayOfYear),
  $dayOfWeek: part('$dayOfWeek', ({ weekday }) => weekday),
  $week: part('$week', ({ week }) => week),
  $hour: part('$hour', ({ hour }) => hour),
  $minute: part('$minute', ({ minute }) => minute),
  $second: part('$second', ({ second }) => second),
  $millisecond: part('$millisecond', ({ millisecond }) => millisecond),
  $isoDayOfWeek: part('$isoDayOfWeek', ({ isoWeekday }) => isoWeekday),
  $isoWeek: part('$isoWeek', ({ isoWeek }) => isoWeek),
  $isoWeekYear: part('$isoWeekYear', ({ isoYear }) => isoYear, true),
  $dateAdd: adder('$dateAdd', 1),
  $dateSubtract: adder('$dateSubtract', -1),
  $dateDiff: dateDiff,
  $dateTrunc: dateTrunc,
  $dateToString: dateToString,
  $dateFromString: dateFromString,
  $dateFromParts: dateFromParts,
  $dateToParts: dateToParts
}
