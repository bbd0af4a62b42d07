// The registry as pages use it: names to pick from, keys to filter by, families to read.
import type { Static } from '@keelson/sdk'
import type { RegistryEntry } from '@keelson/telemetry'
import type { Span } from '@keelson/ui'
import type { registryAnswer } from '../operations/read-operations.ts'
import { holdsBuckets } from './buckets.ts'

/** The answer of `GET /api/registry`. */
export type RegistryAnswer = Static<typeof registryAnswer> & {
  /** Of the page that read it. */
  readonly language?: string
}

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort()

export const eventNames = ({ registry }: RegistryAnswer): string[] => sorted(Object.keys(registry))

/** The registry as a page that shows one kind alone knows it. */
export const ofKind = (answer: RegistryAnswer, kind: string): RegistryAnswer => ({
  ...answer,
  kinds: [kind],
  registry: Object.fromEntries(
    Object.entries(answer.registry).filter(([, entry]) => entry.kind === kind)
  )
})

/** Names under their kinds, kinds in the order of the registry's own list; empty kinds left out. */
export function namesByKind(answer: RegistryAnswer): { kind: string; names: string[] }[] {
  return answer.kinds
    .map((kind) => ({
      kind,
      names: eventNames(answer).filter((name) => answer.registry[name]?.kind === kind)
    }))
    .filter(({ names }) => names.length > 0)
}

/** The types of subjects that records can have. */
export const subjectTypes = ({ registry }: RegistryAnswer): string[] =>
  sorted(Object.values(registry).flatMap(({ subjects }) => subjects))

const entriesOf = ({ registry }: RegistryAnswer, name: string | null): readonly RegistryEntry[] => {
  const entry = name === null ? undefined : registry[name]
  if (entry !== undefined) return [entry]
  return name === null ? Object.values(registry) : []
}

/** Attributes that a filter can name: of one event, or of all. */
export const attrKeys = (answer: RegistryAnswer, name: string | null): string[] =>
  sorted(entriesOf(answer, name).flatMap((entry) => entry.attrKeys))

export const metricKeys = (answer: RegistryAnswer, name: string | null): string[] =>
  sorted(entriesOf(answer, name).flatMap((entry) => entry.metricKeys))

/** A family that counts each subject once a period: what "people" of a range are counted with. */
export function peopleFamily(
  answer: RegistryAnswer,
  name: string | null,
  span: Span
): string | undefined {
  const rollups = entriesOf(answer, name).flatMap((entry) => entry.rollups)
  return rollups.find(
    ({ by, bucket }) =>
      by.length === 1 && by[0] === 'subject' && bucket !== null && holdsBuckets(span, bucket)
  )?.as
}

/** What a record of this name is measured by: its first metric, or its duration. */
export function measureOf({ registry }: RegistryAnswer, name: string | null): string | undefined {
  const entry = name === null ? undefined : registry[name]
  return entry?.metricKeys[0] ?? (entry?.kind === 'span' ? 'durationMs' : undefined)
}
