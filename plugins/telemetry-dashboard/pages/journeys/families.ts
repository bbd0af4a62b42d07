// The families that journeys are made of: milestones, activity, and every other for looking into.
import type { FunnelStage } from '@keelson/telemetry'
import type { RegistryAnswer } from '../registry.ts'

export interface Family {
  readonly as: string
  readonly label: string
}

/** Each with its label in the language of the page, where its plugin has it: `de-AT` reads `de` too. */
const rollupsOf = ({ registry, language = '' }: RegistryAnswer) =>
  Object.values(registry)
    .flatMap((entry) => entry.rollups)
    .map((rollup) => ({
      ...rollup,
      label: rollup.labels?.[language] ?? rollup.labels?.[language.slice(0, 2)] ?? rollup.label
    }))

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

/** What a family captures of the record that made each document: `attr:source`. */
export const capturesOf = (registry: RegistryAnswer, as: string | undefined): readonly string[] =>
  rollupsOf(registry).find((family) => family.as === as)?.capture ?? []

const areaOf = (as: string): string => as.split(/[_.]/, 1)[0] ?? as

/**
 * Where a funnel may begin: with all milestones, or without those of the first area. Milestones of one area
 * begin alike (`mail_sent`, `mail_opened`), and people of one area need not have passed another.
 */
export function possibleFunnels(names: readonly string[]): readonly (readonly string[])[] {
  const [first = ''] = names
  const at = names.findIndex((as) => areaOf(as) !== areaOf(first))
  return at < 2 ? [names] : [names, names.slice(at)]
}

export interface Stages {
  readonly stages: readonly string[]
  /** Milestones that are counted beside the stages. */
  readonly exits: readonly string[]
}

/** Names of milestones that people reach by leaving: an aim they are not. */
const LOSS = /cancel|churn|\bleft|lost|unsubscrib|delet|refund|fail|expir|abandon/i

/** Share of those at a milestone who must have come through the one before for it to follow. */
const FOLLOWS = 0.5

/**
 * Of milestones in a row, those that follow on each other as people reached them: at least half of who is
 * there came through the stage before. The others (such as leaving, which comes after anything) are counted
 * beside, and so is what its name calls a loss: the last stage is what people are meant to reach. A milestone
 * without people is not a loss.
 */
export function followingStages(
  stages: readonly Pick<FunnelStage, 'as' | 'subjects' | 'notReached'>[]
): Stages {
  const isExit: boolean[] = []
  for (const [at, { as, subjects, notReached }] of stages.entries()) {
    // Numbers compare neighbours: after one that does not follow there is nothing to go by.
    const before = isExit[at - 1] === true ? undefined : stages[at - 1]
    const through = (before?.subjects ?? 0) - notReached
    const isBeside = before !== undefined && subjects > 0 && through / subjects < FOLLOWS
    isExit.push(isBeside || LOSS.test(as))
  }
  const pick = (wanted: boolean) =>
    stages.filter((_, at) => isExit[at] === wanted).map(({ as }) => as)
  return { stages: pick(false), exits: pick(true) }
}

/** The stages that the address names, as far as there are such families; without any, those that follow. */
export function stagesOf(
  families: readonly Family[],
  params: URLSearchParams,
  following: Stages | undefined
): Stages {
  const known = new Set(families.map(({ as }) => as))
  const named = (params.get('stages') ?? '').split(',').filter((as) => known.has(as))
  if (named.length === 0) return following ?? { stages: [], exits: [] }
  const stages = [...new Set(named)]
  return { stages, exits: (following?.exits ?? []).filter((as) => !stages.includes(as)) }
}

/** The stages with one more at the end, or without it. At least one stays. */
export function toggleStage(stages: readonly string[], as: string): readonly string[] {
  if (!stages.includes(as)) return [...stages, as]
  return stages.length === 1 ? stages : stages.filter((one) => one !== as)
}

/** The name of a family; its key when it has no label. */
export const labelOf = (registry: RegistryAnswer, as: string): string =>
  allFamilies(registry).find((family) => family.as === as)?.label ?? as
