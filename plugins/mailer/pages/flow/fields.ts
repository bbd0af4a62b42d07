// The fields of a form as data, and how they are read from and put into what is edited. Pure.

/** How a field is shown and what it holds. */
export type FieldKind =
  | 'text'
  | 'number'
  /** One of `options`. */
  | 'choice'
  | 'flag'
  /** Names, one by comma. */
  | 'list'
  /** `HH:MM` */
  | 'time'
  /** Slug of a template. */
  | 'template'
  /** Name of an event. */
  | 'event'
  /** Any JSON value: what is not JSON is a text. */
  | 'value'
  /** A JSON object. */
  | 'json'

/** A field of a form. */
export interface Field {
  /** Where it is: `delivery.timeOfDay`. */
  readonly path: string
  readonly kind: FieldKind
  /** An empty field is left out; of a required one it stays empty, for publishing to refuse. */
  readonly optional?: true
  readonly options?: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a dotted path. */
export function fieldAt(from: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (isFields(at) ? at[name] : undefined), from)
}

/** Groups that go away with their last field; others are kept empty. */
const OPTIONAL_GROUPS: ReadonlySet<string> = new Set(['delivery', 'match'])

/** The value with another one at a dotted path; `undefined` takes it away. */
export function withField<T>(from: T, path: string, value: unknown): T {
  const [name = '', ...rest] = path.split('.')
  const { [name]: before, ...others } = (isFields(from) ? from : {}) as Fields
  const next =
    rest.length === 0 ? value : withField(isFields(before) ? before : {}, rest.join('.'), value)
  const isGone =
    next === undefined ||
    (OPTIONAL_GROUPS.has(name) && isFields(next) && Object.keys(next).length === 0)
  return (isGone ? others : { ...(from as Fields), [name]: next }) as T
}

/** What a text field shows. */
export function textOf({ kind }: Field, value: unknown): string {
  if (value === undefined || value === null) return value === null && kind === 'value' ? 'null' : ''
  if (kind === 'list' && Array.isArray(value)) return value.join(', ')
  if (kind === 'json') return JSON.stringify(value, null, 2)
  if (kind === 'value') return isPlainText(value) ? value : JSON.stringify(value)
  return String(value)
}

/** A text that stays a text when it is read as JSON. */
const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && jsonOf(value) === undefined

function jsonOf(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** What was typed as a value: `undefined` for nothing. `problem` is the key of a message. */
export function readText(
  { kind, optional }: Field,
  text: string
): { readonly value?: unknown; readonly problem?: string } {
  const typed = text.trim()
  if (typed === '') return optional === true || kind === 'number' ? {} : { value: emptyOf(kind) }
  switch (kind) {
    case 'number': {
      const value = Number(typed)
      return Number.isFinite(value) ? { value } : { problem: 'field.notNumber' }
    }
    case 'list':
      return { value: [...new Set(typed.split(',').map((one) => one.trim()))].filter(Boolean) }
    case 'value':
      return { value: (jsonOf(typed) ?? { value: typed }).value }
    case 'json': {
      const read = jsonOf(typed)
      return isFields(read?.value) ? { value: read.value } : { problem: 'field.notObject' }
    }
    default:
      return { value: kind === 'text' ? text : typed }
  }
}

const emptyOf = (kind: FieldKind): unknown => (kind === 'list' ? [] : kind === 'json' ? {} : '')
