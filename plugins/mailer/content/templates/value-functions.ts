// What templates can compute with: comparisons, logic, and dates, numbers and words for people.
import { createBoundedMap } from '@keelson/sdk'
import type { HelperOptions } from 'handlebars'
import type { TemplateHelper } from '../../ledger/host-code.ts'

/** As in Handlebars: nothing, `false`, an empty text and an empty list; not 0. */
export const isEmpty = (value: unknown): boolean =>
  (!value && value !== 0) || (Array.isArray(value) && value.length === 0)

/** Whether a condition holds: as in Handlebars, 0 and an empty list do not. */
export const isTrue = (value: unknown): boolean => Boolean(value) && !isEmpty(value)

/** Dates compare as times; everything else as JavaScript does. */
const comparable = (value: unknown) => (value instanceof Date ? value.getTime() : value) as number

const isEqual = (left: unknown, right: unknown): boolean => comparable(left) === comparable(right)

/** Arguments without the options that follow them. */
const given = (args: readonly unknown[]) => args.slice(0, -1)

/** By the name that templates use. Each is called with its arguments and the options of Handlebars. */
export const VALUE_FUNCTIONS: Readonly<Record<string, TemplateHelper>> = {
  eq: isEqual,
  ne: (left, right) => !isEqual(left, right),
  gt: (left, right) => comparable(left) > comparable(right),
  gte: (left, right) => comparable(left) >= comparable(right),
  lt: (left, right) => comparable(left) < comparable(right),
  lte: (left, right) => comparable(left) <= comparable(right),
  and: (...args) => given(args).every(isTrue),
  or: (...args) => given(args).some(isTrue),
  not: (value) => !isTrue(value),
  lookup: (of, key) =>
    typeof of === 'object' && of !== null && Object.hasOwn(of, String(key))
      ? (of as Readonly<Record<string, unknown>>)[String(key)]
      : undefined,
  // By way of bytes: half a character must not throw.
  urlEncode: (value) => encodeURIComponent(Buffer.from(String(value ?? '')).toString()),
  pluralize: (count, one, many) => (Number(count) === 1 ? one : many),
  formatDate(value, ...rest) {
    const [style] = given(rest)
    return dateText(value, style === 'short' || style === 'iso' ? style : 'long', localeOf(rest))
  },
  formatNumber(value, ...rest) {
    const [digits] = given(rest)
    const fixed = typeof digits === 'number' ? Math.min(Math.max(Math.trunc(digits), 0), 20) : -1
    return numberText(value, numberFormat(fixed, localeOf(rest)))
  },
  /** The amount is in the smallest unit: cents. */
  formatCurrency(value, ...rest) {
    const [code = 'USD'] = given(rest)
    if (typeof code !== 'string' || !/^[A-Za-z]{3}$/.test(code)) return ''
    const { format, unit } = currencyFormat(code, localeOf(rest))
    return numberText(value, format, unit)
  }
}

/** How people of a place write dates and numbers. */
interface Locale {
  readonly language: string
  readonly zone: string
}

/** That of the contact, unless the template says `locale` or `timezone`. */
function localeOf(args: readonly unknown[]): Locale {
  const { hash = {}, data } = (args.at(-1) ?? {}) as HelperOptions
  const contact = (data?.root?.contact ?? {}) as { locale?: unknown; timezone?: unknown }
  const text = (value: unknown, fallback: string) => (typeof value === 'string' ? value : fallback)
  return {
    language: text(hash['locale'] ?? contact.locale, 'en'),
    zone: text(hash['timezone'] ?? contact.timezone, 'UTC')
  }
}

// Making a format takes longer than a whole mail, and hosts have few of them.
const formats = createBoundedMap<string, unknown>(500)

/** The format of a key, else what the first attempt makes that the platform knows. */
function formatOf<T>(key: string, attempts: readonly (() => T)[]): T {
  const known = formats.get(key)
  if (known !== undefined) return known as T
  for (const [at, attempt] of attempts.entries()) {
    try {
      const format = attempt()
      formats.set(key, format)
      return format
    } catch (error) {
      // An unknown language or zone of a contact never stops a mail.
      if (!(error instanceof RangeError) || at === attempts.length - 1) throw error
    }
  }
  throw new RangeError(key)
}

/** `digits` below 0: as many as the number has, at most three. */
function numberFormat(digits: number, { language }: Locale): Intl.NumberFormat {
  const options =
    digits < 0
      ? { maximumFractionDigits: 3 }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return formatOf(
    `number ${digits} ${language}`,
    [language, 'en'].map((one) => () => new Intl.NumberFormat(one, options))
  )
}

interface CurrencyFormat {
  readonly format: Intl.NumberFormat
  /** Smallest units in one: 100 cents. */
  readonly unit: number
}

function currencyFormat(currency: string, { language }: Locale): CurrencyFormat {
  return formatOf(
    `currency ${currency} ${language}`,
    [language, 'en'].map((one) => () => {
      const format = new Intl.NumberFormat(one, { style: 'currency', currency })
      const { maximumFractionDigits = 2 } = format.resolvedOptions()
      return { format, unit: 10 ** maximumFractionDigits }
    })
  )
}

function numberText(value: unknown, format: Intl.NumberFormat, unit = 1): string {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? format.format(number / unit) : ''
}

function dateText(value: unknown, style: 'long' | 'short' | 'iso', locale: Locale): string {
  const date = value instanceof Date ? value : new Date(value as string | number)
  if (value === null || value === undefined || Number.isNaN(date.getTime())) return ''
  if (style === 'iso') return date.toISOString().slice(0, 10)
  const { language, zone } = locale
  const wishes = [
    [language, zone],
    [language, 'UTC'],
    ['en', zone],
    ['en', 'UTC']
  ] as const
  return formatOf(
    `date ${style} ${language} ${zone}`,
    wishes.map(
      ([one, timeZone]) =>
        () =>
          new Intl.DateTimeFormat(one, { dateStyle: style, timeZone })
    )
  ).format(date)
}
