// What is erased: the refs of one person, each with the time in which it was theirs, and what replaces them.
import { covers, isWhole, type Reach, timeTerm } from '../identity/links.ts'
import { type Pseudonyms, pseudonymOf } from './pseudonym.ts'

export interface Erased {
  readonly tenantId: string
  /** The subject itself first. */
  readonly reaches: readonly Reach[]
  /** Of every ref. */
  readonly pseudonyms: Pseudonyms
  /** Refs that were the person's at all times. */
  readonly whole: readonly string[]
  /** Refs that were also those of other people. */
  readonly shared: readonly Reach[]
}

export function erasedOf(
  tenantId: string,
  ref: string,
  linked: readonly Reach[],
  pepper: string
): Erased {
  const reaches = [{ tenantId, ref, from: -Infinity, to: Infinity }, ...linked]
  const whole = new Set(reaches.filter(isWhole).map((reach) => reach.ref))
  return {
    tenantId,
    reaches,
    pseudonyms: new Map(reaches.map((reach) => [reach.ref, pseudonymOf(reach.ref, pepper)])),
    whole: [...whole],
    shared: reaches.filter((reach) => !whole.has(reach.ref))
  }
}

/** The replacement of each ref in a record of that time. */
export function pseudonymsAt(erased: Erased, at: number): Pseudonyms {
  if (erased.shared.length === 0) return erased.pseudonyms
  const refs = [...erased.whole, ...sharedAt(erased, at)]
  return new Map(refs.map((ref) => [ref, erased.pseudonyms.get(ref) as string]))
}

/** Shared refs that were the person's at a time. */
export const sharedAt = ({ shared }: Erased, at: number): readonly string[] =>
  shared.filter((reach) => covers(reach, at)).map(({ ref }) => ref)

/** A condition for the refs of all times, and one for each other with its time. */
export function reachFilters(
  { tenantId, whole, shared }: Erased,
  field: string,
  timeField: string
): readonly Readonly<Record<string, unknown>>[] {
  return [
    { tenantId, [field]: { $in: [...whole] } },
    ...shared.map((reach) => ({ tenantId, [field]: reach.ref, [timeField]: timeTerm(reach) }))
  ]
}
