// A setting in words: its value with its unit, what would hold without it, and its parts. Pure.
import type { Format } from '@keelson/ui'

/** Says what a key of the catalog means. */
export type Words = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** A setting, as the API answers it. */
export interface Setting {
  readonly name: string
  readonly value: unknown
  readonly default: unknown
}

/** One value of a setting. */
export interface SettingLine {
  /** Of a setting with several values. */
  readonly part?: string
  readonly value: string
  readonly isSet: boolean
  /** What would hold without it, where something else holds; `true`: this is it. */
  readonly usual?: string | true
}

interface Told {
  readonly t: Words
  readonly format: Format
}

/** What the number in a setting counts, by the end of its path. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/days$/i, 'days'],
  [/hours$/i, 'hours'],
  [/seconds$/i, 'seconds'],
  [/ms$/i, 'ms'],
  [/^broadcastConfirmationThreshold$/, 'people'],
  [/(minSample|\.count|PerDay|PerSecond|Concurrency)$/, 'mails'],
  [/(Attempts|PromotionThreshold)$/, 'times']
]

/** The lines of a setting: one, or one for each of its parts. */
export function linesOf(setting: Setting, told: Told): readonly SettingLine[] {
  const { name, value, default: usual } = setting
  if (!isParted(name, value ?? usual)) return [lineOf(name, value, usual, told)]
  const values = flat(value)
  const usuals = flat(usual)
  const paths = [...new Set([...Object.keys(values), ...Object.keys(usuals)])]
  return paths.map((path) => ({
    ...lineOf(`${name}.${path}`, values[path], usuals[path], told),
    part: partWords(`${name}.${path}`, path, told)
  }))
}

/** Senders and categories are one value; policies and maps have parts. */
const isParted = (name: string, value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !/Defaults$/.test(name)

function flat(value: unknown, before = ''): Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== 'object') return {}
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const path = `${before}${key}`
    const isLeaf = one === null || typeof one !== 'object' || Array.isArray(one)
    return isLeaf ? [[path, one] as const] : Object.entries(flat(one, `${path}.`))
  })
  return Object.fromEntries(entries)
}

/** A part that the catalog does not know is a name that the host gave: a domain, a provider. */
function partWords(path: string, own: string, { t }: Told): string {
  const key = `setting.part.${path}`
  const words = t(key)
  return words === key ? own.replace(/\.kind$/, '') : words
}

function lineOf(path: string, value: unknown, usual: unknown, told: Told): SettingLine {
  const isSet = value !== null && value !== undefined
  const hasUsual = usual !== null && usual !== undefined
  if (!isSet && hasUsual) return { value: wordsOf(path, usual, told), isSet: true, usual: true }
  const words = isSet ? wordsOf(path, value, told) : told.t('setting.unset')
  if (!hasUsual) return { value: words, isSet }
  if (JSON.stringify(usual) === JSON.stringify(value)) return { value: words, isSet, usual: true }
  return { value: words, isSet, usual: wordsOf(path, usual, told) }
}

function wordsOf(path: string, value: unknown, told: Told): string {
  const { t, format } = told
  if (typeof value === 'boolean') return t(value ? 'setting.on' : 'setting.off')
  if (typeof value === 'number') {
    if (path.endsWith('Pct')) return t('setting.percent', { count: format.number(value) })
    const unit = UNITS.find(([end]) => end.test(path))?.[1]
    return unit === undefined ? format.number(value) : t(`setting.unit.${unit}`, { count: value })
  }
  if (Array.isArray(value)) return value.map((one) => wordsOf(path, one, told)).join(', ')
  if (path.endsWith('.kind')) return t(`setting.kind.${String(value)}`)
  if (value === null || typeof value !== 'object') return String(value)
  const { name, email, label } = value as Readonly<Record<string, unknown>>
  if (typeof label === 'string') return label
  return typeof email === 'string' ? `${String(name)} <${email}>` : JSON.stringify(value)
}
