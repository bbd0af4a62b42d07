// Reads single query parameters: given once, a limit, a choice, a flag, a list.
import { accepted, type Parsed, refused } from './parsed.ts'

/** Every value of every parameter, in the order of the address. */
export type Params = ReadonlyMap<string, readonly string[]>

/** The parameters of a request's address. Never throws: what cannot be decoded is kept as it is. */
export function paramsOf(address: string): Params {
  const start = address.indexOf('?')
  const params = new Map<string, string[]>()
  if (start < 0) return params
  for (const [name, value] of new URLSearchParams(address.slice(start + 1))) {
    const values = params.get(name)
    if (values === undefined) params.set(name, [value])
    else values.push(value)
  }
  return params
}

/** The value of a parameter, undefined when it is absent or empty. Two different ones are refused. */
export function readOne(params: Params, name: string): Parsed<string | undefined> {
  const values = params.get(name)?.filter((value) => value !== '') ?? []
  if (new Set(values).size > 1) return refused(`${name} must be given once`)
  return accepted(values[0])
}

/** A whole number from 1 on; above the cap it becomes the cap, absent it is the cap. */
export function readLimit(params: Params, cap: number): Parsed<number> {
  const text = readOne(params, 'limit')
  if (!text.ok) return text
  if (text.value === undefined) return accepted(cap)
  if (!/^[0-9]+$/.test(text.value) || Number(text.value) === 0) {
    return refused('limit must be a whole number from 1 on')
  }
  return accepted(Math.min(Number(text.value), cap))
}

/** One of the choices, or undefined when absent. */
export function readChoice<const C extends string>(
  params: Params,
  name: string,
  choices: readonly C[]
): Parsed<C | undefined> {
  const text = readOne(params, name)
  if (!text.ok || text.value === undefined) return text as Parsed<undefined>
  const found = choices.find((choice) => choice === text.value)
  return found === undefined
    ? refused(`${name} must be one of ${choices.join(', ')}`)
    : accepted(found)
}

/** `true` or `1`, `false` or `0`; absent is false. */
export function readFlag(params: Params, name: string): Parsed<boolean> {
  const text = readOne(params, name)
  if (!text.ok) return text
  switch (text.value) {
    case 'true':
    case '1':
      return accepted(true)
    case undefined:
    case 'false':
    case '0':
      return accepted(false)
    default:
      return refused(`${name} must be true or false`)
  }
}

/** The parts of a comma list, trimmed, without empty and repeated ones. */
export function readList(params: Params, name: string, most: number): Parsed<readonly string[]> {
  const text = readOne(params, name)
  if (!text.ok) return text
  const parts = (text.value ?? '').split(',').map((part) => part.trim())
  const items = [...new Set(parts.filter((part) => part !== ''))]
  return items.length > most ? refused(`${name} must name at most ${most}`) : accepted(items)
}

/** At most this many values of `dims`. */
export const MAX_DIMS = 100

/** `dims` once or repeated. A bracketed form (`dims[$gt]=`) is no value and is refused. */
export function readDims(params: Params): Parsed<readonly string[]> {
  for (const name of params.keys()) {
    if (name.startsWith('dims[')) return refused('dims must be plain values')
  }
  const values = (params.get('dims') ?? []).filter((value) => value !== '')
  return values.length > MAX_DIMS
    ? refused(`dims must be at most ${MAX_DIMS} values`)
    : accepted(values)
}
