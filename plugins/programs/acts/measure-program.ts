// What a program did: runs by arm and status, and how far each action came, against the holdout.

import { PROGRAM, type ProgramContext } from '../program-context.ts'
import type { ProgramRow } from '../storage/program-rows.ts'
import type { ActionStatus, ProgramArm, ProgramRunStatus } from '../storage/program-state.ts'

type Stored = Pick<ProgramContext, 'collections'>

/** An action over all runs of an arm. */
export type ActionCounts = Readonly<Record<ActionStatus, number>> & {
  /** Mails that providers took. */
  readonly attempts: number
}

/** One arm of a program. */
export interface ArmStats {
  readonly runs: Readonly<Record<ProgramRunStatus, number>>
  readonly entered: number
  /** Share of runs that completed, 0 to 1; null without runs. */
  readonly completedRate: number | null
  readonly actions: Readonly<Record<string, ActionCounts>>
}

/** Both arms, and what the program adds. */
export interface ProgramStats {
  readonly arms: Readonly<Record<ProgramArm, ArmStats>>
  /** completedRate of the treatment minus that of the holdout; null without one of them. */
  readonly uplift: number | null
}

/** Aggregated when asked for, over the runs of the program. */
export async function measureProgram(context: Stored, programSlug: string): Promise<ProgramStats> {
  const [runs, actions] = await Promise.all([
    countRuns(context, programSlug),
    countActions(context, programSlug)
  ])
  const arms = {
    treatment: armOf('treatment', runs, actions),
    holdout: armOf('holdout', runs, actions)
  }
  return { arms, uplift: upliftOf(arms.treatment.completedRate, arms.holdout.completedRate) }
}

/** A program in a list: how many entered, got mails and completed. */
export interface ProgramResults {
  readonly entered: number
  readonly completed: number
  /** Share of runs that completed, 0 to 1; null without runs. */
  readonly completedRate: number | null
  /** As that of its statistics. */
  readonly uplift: number | null
  /** Mails that a provider took. */
  readonly mails: number
}

/** By slug, those of the treatment; each from an index alone. A program without runs and mails is there with zeros. */
export async function measurePrograms(
  { collections, mails }: Pick<ProgramContext, 'collections' | 'mails'>,
  programs: readonly Pick<ProgramRow, '_id' | 'slug'>[]
): Promise<ReadonlyMap<string, ProgramResults>> {
  const slugs = programs.map(({ slug }) => slug)
  const [counts, sent] = await Promise.all([
    countRunsOf(
      collections.programRuns,
      programs.map(({ _id }) => _id)
    ),
    mails.sentMails(PROGRAM, slugs)
  ])
  return new Map(
    programs.map(({ _id, slug }) => {
      const own = counts.filter((one) => one._id.programId === _id)
      const { runs, entered, completedRate } = armOf('treatment', own, [])
      const uplift = upliftOf(completedRate, armOf('holdout', own, []).completedRate)
      const { completed } = runs
      return [slug, { entered, completed, completedRate, uplift, mails: sent.get(slug) ?? 0 }]
    })
  )
}

/** Runs of programs by arm and status: covered by the index `active`. */
const countRunsOf = (
  runs: ProgramContext['collections']['programRuns'],
  programIds: readonly string[]
) =>
  runs
    .aggregate<RunCount & { readonly _id: { readonly programId: string } }>([
      { $match: { programId: { $in: [...programIds] } } },
      {
        $group: {
          _id: { programId: '$programId', status: '$status', arm: '$arm' },
          count: { $sum: 1 }
        }
      }
    ])
    .toArray()

const upliftOf = (treated: number | null, held: number | null): number | null =>
  treated === null || held === null ? null : treated - held

interface RunCount {
  readonly _id: { readonly arm: ProgramArm; readonly status: ProgramRunStatus }
  readonly count: number
}

function countRuns({ collections }: Stored, programSlug: string): Promise<RunCount[]> {
  const group = { _id: { arm: '$arm', status: '$status' }, count: { $sum: 1 } }
  return collections.programRuns
    .aggregate<RunCount>([{ $match: { programSlug } }, { $group: group }])
    .toArray()
}

interface ActionCount {
  readonly _id: {
    readonly arm: ProgramArm
    readonly action: string
    readonly status: ActionStatus
  }
  readonly count: number
  readonly attempts: number
}

function countActions({ collections }: Stored, programSlug: string): Promise<ActionCount[]> {
  const _id = { arm: '$arm', action: '$action.k', status: '$action.v.status' }
  const attempts = { $sum: '$action.v.attempts' }
  return collections.programRuns
    .aggregate<ActionCount>([
      { $match: { programSlug } },
      { $project: { arm: 1, action: { $objectToArray: '$actions' } } },
      { $unwind: '$action' },
      { $group: { _id, count: { $sum: 1 }, attempts } }
    ])
    .toArray()
}

function armOf(
  arm: ProgramArm,
  counts: readonly RunCount[],
  actions: readonly ActionCount[]
): ArmStats {
  const runs = { active: 0, completed: 0, exited: 0, sunset: 0 }
  for (const { _id, count } of counts) if (_id.arm === arm) runs[_id.status] = count
  const entered = Object.values(runs).reduce((sum, count) => sum + count, 0)
  const byAction: Record<string, Record<ActionStatus | 'attempts', number>> = {}
  for (const { _id, count, attempts } of actions) {
    if (_id.arm !== arm) continue
    const own = { pending: 0, satisfied: 0, exhausted: 0, cooldown: 0, attempts: 0 }
    const action = byAction[_id.action] ?? own
    byAction[_id.action] = action
    action[_id.status] = count
    action.attempts += attempts
  }
  const completedRate = entered === 0 ? null : runs.completed / entered
  return { runs, entered, completedRate, actions: byAction }
}
