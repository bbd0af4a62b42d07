// Filters: what was typed, what may be suggested, how a list of them changes. Pure.

/** A field that filters can name, with the values to suggest. */
export interface FilterField {
  readonly id: string
  readonly label: string
  /** Suggested values: a list, or a search for what was typed. */
  readonly values?:
    | readonly string[]
    | ((typed: string, signal: AbortSignal) => Promise<readonly string[]>)
  /** A value in words, for chips and suggestions. Default: the value itself. */
  words?(value: string): string
  /** Offers "is not". */
  readonly negatable?: boolean
  /** Takes several values at once. Default: a new value replaces the old one. */
  readonly multiple?: boolean
  /** Whether values besides the suggested ones may be typed. Default true. */
  readonly free?: boolean
}

/** A field with the value that records must have, or must not have. */
export interface Filter {
  /** The `id` of a `FilterField`. */
  readonly field: string
  readonly value: string
  /** Excludes the value. */
  readonly not?: boolean
}

/** What was typed so far: a field, once it is known, and the rest. */
export interface Typed {
  readonly field: FilterField | undefined
  readonly not: boolean
  readonly text: string
}

/** Reads `plan:pro`, `plan=pro`, `-plan:pro`, `plan!=pro`; without a known field all is text. */
export function readTyped(text: string, fields: readonly FilterField[]): Typed {
  const match = /^(-?)\s*([^:=!]+?)\s*(!?[:=])\s*(.*)$/s.exec(text)
  const [, minus = '', name = '', operator = '', rest = ''] = match ?? []
  const field = match === null ? undefined : fieldNamed(name, fields)
  if (field === undefined) return { field: undefined, not: false, text }
  const isNot = minus === '-' || operator.startsWith('!')
  return { field, not: isNot && field.negatable === true, text: rest }
}

function fieldNamed(name: string, fields: readonly FilterField[]): FilterField | undefined {
  const wanted = name.toLowerCase()
  return fields.find(
    ({ id, label }) => id.toLowerCase() === wanted || label.toLowerCase() === wanted
  )
}

/** A value of a field in words. */
export const wordsOf = (field: FilterField | undefined, value: string): string =>
  field?.words?.(value) ?? value

/** Those that contain the text: first the text itself, then those that begin with it. */
export function matching(values: readonly string[], text: string, limit = 50): readonly string[] {
  const wanted = text.trim().toLowerCase()
  const found = values.filter((value) => value.toLowerCase().includes(wanted))
  const place = (value: string) =>
    value === text.trim() ? 0 : value.toLowerCase().startsWith(wanted) ? 1 : 2
  return [0, 1, 2].flatMap((at) => found.filter((value) => place(value) === at)).slice(0, limit)
}

/** The list with a filter added: in the place of `replaced`, or of the field's old value. */
export function withFilter(
  filters: readonly Filter[],
  added: Filter,
  field: FilterField | undefined,
  replaced: number | undefined
): readonly Filter[] {
  const isRival = (filter: Filter, at: number) =>
    at === replaced ||
    (filter.field === added.field && (field?.multiple !== true || filter.value === added.value))
  const place = filters.findIndex(isRival)
  if (place === -1) return [...filters, added]
  return filters.flatMap((filter, at) => {
    if (at === place) return [added]
    return isRival(filter, at) ? [] : [filter]
  })
}
