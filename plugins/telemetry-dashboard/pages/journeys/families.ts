// The families that journeys are made of: milestones, activity, and every other for looking into.
import type { RegistryAnswer } from '../registry.ts'

export interface Family {
  readonly as: string
  readonly label: string
}

/** Milestones that end a journey are told by their name: they are counted, and are no stage. */
const ENDING = /cancel|churn|delet|unsubscrib|close|expire|refund|left/i

const rollupsOf = ({ registry }: RegistryAnswer) =>
  Object.values(registry).flatMap((entry) => entry.rollups)

const unique = (families: readonly Family[]): Family[] => [
  ...new Map(families.map((family) => [family.as, family])).values()
]

const isBySubject = (by: readonly string[]): boolean => by.length === 1 && by[0] === 'subject'

/** Lifetime families by subject alone, in the registry's order. */
export const milestoneFamilies = (registry: RegistryAnswer): Family[] =>
  unique(rollupsOf(registry).filter(({ by, bucket }) => isBySubject(by) && bucket === null))

/** Families that tell who was active when. */
export const activityFamilies = (registry: RegistryAnswer): Family[] =>
  unique(rollupsOf(registry).filter(({ by, bucket }) => isBySubject(by) && bucket !== null))

/** Every family, by name. */
export const allFamilies = (registry: RegistryAnswer): Family[] =>
  unique(rollupsOf(registry)).sort((a, b) => (a.as < b.as ? -1 : 1))

export interface Stages {
  readonly stages: readonly string[]
  readonly exits: readonly string[]
}

/** The stages that the address names, as far as there are such families; without any, the likely ones. */
export function stagesOf(families: readonly Family[], params: URLSearchParams): Stages {
  const known = new Set(families.map(({ as }) => as))
  const named = (params.get('stages') ?? '').split(',').filter((as) => known.has(as))
  const endings = families.map(({ as }) => as).filter((as) => ENDING.test(as))
  const stages =
    named.length > 0 ? [...new Set(named)] : [...known].filter((as) => !endings.includes(as))
  return { stages, exits: endings.filter((as) => !stages.includes(as)) }
}

/** The stages with one more at the end, or without it. At least one stays. */
export function toggleStage(stages: readonly string[], as: string): readonly string[] {
  if (!stages.includes(as)) return [...stages, as]
  return stages.length === 1 ? stages : stages.filter((one) => one !== as)
}

/** The name of a family; its own where nobody gave it another. */
export const labelOf = (registry: RegistryAnswer, as: string): string =>
  allFamilies(registry).find((family) => family.as === as)?.label ?? as
