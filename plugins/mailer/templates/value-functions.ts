// What templates can compute with: comparisons, logic, and dates, numbers and words for people.
import { createBoundedMap } from '@keelson/sdk'
import Handlebars, { type HelperOptions } from 'handlebars'
import type { TemplateHelper } from '../config/host-code.ts'

const isTrue = (value: unknown): boolean => Boolean(value) && !Handlebars.Utils.isEmpty(value)

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
    const fixed = typeof digits === 'number' ? Math.min(Math.max(Math.trunc(digits), 0), 20) : 0
    const options = { minimumFractionDigits: fixed, maximumFractionDigits: fixed || 3 }
    return numberText(value, options, localeOf(rest))
  },
  /** The amount is in the smallest unit: cents. */
  formatCurrency(value, ...rest) {
    const [code = 'USD'] = given(rest)
    if (typeof code !== 'string' || !/^[A-Za-z]{3}$/.test(code)) return ''
    const currency = { style: 'currency', currency: code } as const
    const locale = localeOf(rest)
    const { maximumFractionDigits = 2 } = numberFormat(currency, locale).resolvedOptions()
    const amount = typeof value === 'number' ? value / 10 ** maximumFractionDigits : value
    return numberText(amount, currency, locale)
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
const formats = createBoundedMap<string, Intl.NumberFormat | Intl.DateTimeFormat>(500)

function formatOf<T extends Intl.NumberFormat | Intl.DateTimeFormat>(
  key: string,
  attempts: readonly (() => T)[]
): T {
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

function numberFormat(options: Intl.NumberFormatOptions, { language }: Locale): Intl.NumberFormat {
  return formatOf(
    `number ${JSON.stringify(options)} ${language}`,
    [language, 'en'].map((one) => () => new Intl.NumberFormat(one, options))
  )
}

function numberText(value: unknown, options: Intl.NumberFormatOptions, locale: Locale): string {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return ''
  return numberFormat(options, locale).format(number)
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
