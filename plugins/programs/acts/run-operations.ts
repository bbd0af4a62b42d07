// What operators do with runs of programs: list, read, enter, look now, skip an action, abort.

import { type NewestPage, type PageOfRows, readNewest, type Static, Type } from '@keelson/sdk'
import { changeRun, type RunChanged, type RunKind, unknown } from '@keelson/sdk/versions'
import type { Filter } from 'mongodb'
import { enterSubjects, programRunId } from '../looks/enter-programs.ts'
import { type By, PROGRAM, type ProgramContext, recordChange } from '../program-context.ts'
import { inputs } from '../storage/inputs.ts'
import type { ProgramDecisionRow, ProgramRunRow } from '../storage/program-rows.ts'
import type { ProgramArm, ProgramRunStatus } from '../storage/program-state.ts'
import { getProgram, resourceOf } from './program-operations.ts'
import { type ProgramRefusal, type ProgramRefusalCode, refused } from './program-refusal.ts'

/** Which runs to list; what is set must hold. */
export interface ProgramRunFilter extends NewestPage {
  readonly status?: ProgramRunStatus
  readonly arm?: ProgramArm
}

/** Who enters. */
export const enteringSchema = Type.Object(
  { subjectId: inputs.subjectId },
  { additionalProperties: false }
)
/** Which action is given up. */
export const skippedSchema = Type.Object({ actionId: inputs.slug }, { additionalProperties: false })

const MAX_RUNS = 200
const MAX_DECISIONS = 100

/** A page of at most 200 runs, the newest first. */
export function listProgramRuns(
  { collections }: ProgramContext,
  programSlug: string,
  { status, arm, ...page }: ProgramRunFilter = {}
): Promise<PageOfRows<ProgramRunRow>> {
  const filter = {
    programSlug,
    ...(status !== undefined && { status }),
    ...(arm !== undefined && { arm })
  } as Filter<ProgramRunRow>
  return readNewest(collections.programRuns, filter, {
    ...page,
    time: 'enteredAt',
    maxLimit: MAX_RUNS
  })
}

/** A run with its newest decisions; null when it is unknown. */
export async function readProgramRun(
  { collections }: ProgramContext,
  runId: string
): Promise<{
  readonly run: ProgramRunRow
  readonly decisions: readonly ProgramDecisionRow[]
} | null> {
  const [run, decisions] = await Promise.all([
    collections.programRuns.findOne({ _id: runId }),
    collections.programDecisions
      .find({ runId }, { projection: { after: 0 } })
      .sort({ at: -1, _id: -1 })
      .limit(MAX_DECISIONS)
      .toArray()
  ])
  return run === null ? null : { run, decisions }
}

/** What an operation on a run came to. */
export type RunResult<Code extends ProgramRefusalCode = ProgramRefusalCode> =
  | { readonly ok: true; readonly runId: string }
  | ProgramRefusal<Code>

const programRuns: RunKind<ProgramRunRow, ProgramContext, By> = {
  collection: 'mailer_program_runs',
  runs: ({ collections }) => collections.programRuns,
  slugOf: ({ programSlug }) => programSlug,
  record: recordChange
}

/** Enters a subject by hand; the program must be enabled. */
export async function enterProgram(
  context: ProgramContext,
  slug: string,
  { subjectId }: Static<typeof enteringSchema>,
  acting: By
): Promise<RunResult<'not_found' | 'not_published' | 'already_entered'>> {
  const program = await getProgram(context, slug)
  if (program === null) return unknown('program', slug)
  if (!program.enabled) return refused('not_published', `The program ${slug} is not enabled.`)
  if ((await enterSubjects(context, program, [subjectId])) === 0)
    return refused('already_entered', `${subjectId} is in the program ${slug}, or was.`)
  const entry = { action: 'program.enter', resource: resourceOf(program), after: { subjectId } }
  await context.mailer.as(acting.by).audit(entry)
  return { ok: true, runId: programRunId(program._id, subjectId) }
}

/** Makes active runs due now: all of a program, or one. @returns how many */
export async function lookNow(
  { runs }: ProgramContext,
  filter: { readonly programSlug: string; readonly _id?: string }
): Promise<number> {
  return (await runs.reschedule({ ...filter, status: 'active' })).rescheduled
}

/** Ends a run, and cancels its mails that have not left. */
export function abortProgramRun(
  context: ProgramContext,
  runId: string,
  acting: By
): Promise<RunChanged> {
  const write = { ...acting, action: 'program.run.abort' }
  return changeRun(context, programRuns, runId, write, async (run, { session, now }) => {
    const { subjectId, inFlight } = run
    const ids = inFlight?.sendIds ?? []
    await context.mails.as(acting.by).cancel({ kind: PROGRAM, ids }, 'run_inactive', { session })
    await context.runs.withdraw({ _id: runId }, { state: 'done', session })
    const ended = { status: 'exited', exitReason: 'aborted', endedAt: now } as const
    // A worker that holds the run finds it ended: its result changes nothing.
    const { programRuns: rows } = context.collections
    await rows.updateOne({ _id: runId }, { $set: ended }, { session })
    return { after: { subjectId } }
  })
}

/** Gives up an action of a run: no mail asks for it any more. */
export function skipAction(
  context: ProgramContext,
  runId: string,
  { actionId }: Static<typeof skippedSchema>,
  acting: By
): Promise<RunChanged> {
  const write = { ...acting, action: 'program.run.skip' }
  return changeRun(context, programRuns, runId, write, async (run, { session }) => {
    const before = run.actions[actionId] ?? { attempts: 0, misses: 0 }
    const skipped = { $literal: { ...before, status: 'exhausted' } }
    const { rescheduled } = await context.runs.reschedule(
      { _id: runId, status: 'active' },
      { session, update: [{ $set: { [`actions.${actionId}`]: skipped } }] }
    )
    return rescheduled === 1 ? { after: { subjectId: run.subjectId, actionId } } : undefined
  })
}
