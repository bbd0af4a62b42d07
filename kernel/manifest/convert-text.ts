// A text that came from a placeholder, as the type that the schema takes. Pure.

export interface TextTarget {
  /** Names of the types that the schema takes. */
  readonly types: readonly string[]
  /** Whether the schema takes the value. */
  accepts(value: unknown): boolean
}

/**
 * The text itself when the schema takes it, else the number, boolean, null or list (split at commas)
 * that it reads as. Undefined for an empty text that the schema does not take: the setting is left out.
 */
export function convertText(text: string, target: TextTarget): unknown {
  const readings = readingsOf(text)
  const accepted = [{ value: text }, ...readings].find(({ value }) => target.accepts(value))
  if (accepted !== undefined) return accepted.value
  if (text === '') return undefined
  // None is right; the wanted type makes the better message.
  const near = readings.find(({ type }) => target.types.includes(type))
  return near === undefined || target.types.includes('string') ? text : near.value
}

interface Reading {
  readonly type: string
  readonly value: unknown
}

function readingsOf(text: string): Reading[] {
  const readings: Reading[] = []
  if (text === 'null') readings.push({ type: 'null', value: null })
  if (text === 'true' || text === 'false') {
    readings.push({ type: 'boolean', value: text === 'true' })
  }
  const number = numberOf(text)
  if (number !== undefined) {
    readings.push({ type: 'integer', value: number }, { type: 'number', value: number })
  }
  const list = text.split(',').map((item) => item.trim())
  readings.push({ type: 'array', value: list })
  const numbers = list.map(numberOf)
  if (!numbers.includes(undefined)) readings.push({ type: 'array', value: numbers })
  return readings
}

function numberOf(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}
