// What operators and agents do with runs: list them, stop one, skip the step it is at.

import { type NewestPage, type PageOfRows, readNewest } from '@keelson/sdk'
import {
  type Changing,
  changeRun,
  notActive,
  type RunChanged,
  type RunKind,
  refuse,
  type VersionRefusal,
  versionId
} from '@keelson/sdk/versions'
import type { Filter } from 'mongodb'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import { pathAfter, stepAt } from '../../ledger/flow-paths.ts'
import type { FlowRunRow, RunStatus } from '../../ledger/flow-rows.ts'
import { recordChange } from '../../ledger/mail-versioned.ts'
import type { Acting } from '../../ledger/template-input.ts'
import { endRuns } from './end-runs.ts'

/** Which runs a list shows. */
export interface RunListOptions extends NewestPage {
  readonly flowSlug?: string
  readonly externalId?: string
  readonly status?: RunStatus
  /** Runs of this version that are at this step, or ended there; `status` is then `active` by default. */
  readonly at?: { readonly version: number; readonly path: string }
}

/** A page of at most 200 runs, newest first. An unknown flow has none. */
export async function listRuns(
  { collections }: Pick<MailerContext, 'collections'>,
  { flowSlug, externalId, status, at, ...page }: RunListOptions = {}
): Promise<PageOfRows<FlowRunRow>> {
  const flow =
    flowSlug === undefined ? undefined : await collections.flows.findOne({ slug: flowSlug })
  if (flow === null) return { rows: [] }
  const place = at && { flowVersion: at.version, path: at.path, status: status ?? 'active' }
  const filter = { ...defined({ flowId: flow?._id, externalId, status }), ...place }
  return readNewest(collections.flowRuns, filter as Filter<FlowRunRow>, {
    ...page,
    time: 'enteredAt',
    maxLimit: 200
  })
}

/** What stopping a run came to. */
export type StoppedRun =
  | { readonly ok: true; readonly cancelledSends: number }
  | VersionRefusal<'not_found' | 'run_not_active'>

/** Ends one run in the name of `actor`, and cancels its mails that have not left. */
export async function stopRun(
  context: MailerContext,
  runId: string,
  { reason, ...acting }: Acting & { readonly reason?: string }
): Promise<StoppedRun> {
  const run = await context.collections.flowRuns.findOne({ _id: runId })
  if (run === null) return refuse('not_found', `There is no run ${runId}.`)
  const resource = { collection: 'mailer_flow_runs', id: runId, slug: run.flowSlug }
  const options = { actor: acting.actor, reason: (reason ?? acting.actor).slice(0, 200) }
  const { abortedRuns, cancelledSends } = await endRuns(context, { _id: runId }, options, {
    ...acting,
    action: 'flow_run.stop',
    resource
  })
  return abortedRuns === 1 ? { ok: true, cancelledSends } : notActive(runId)
}

const flowRuns: RunKind<FlowRunRow, MailerContext, Acting> = {
  collection: 'mailer_flow_runs',
  runs: ({ collections }) => collections.flowRuns,
  slugOf: ({ flowSlug }) => flowSlug,
  record: recordChange
}

const NOT_WAITING = {
  $unset: ['waitingFor', 'waitingMatch', 'waitSince', 'nextActionAt', 'failedCalls']
}

/**
 * Takes a run behind the step it is at, whether it waits there or not; what the step would do is left out. A
 * run that a worker holds is refused: ask again.
 */
export async function skipStep(
  context: MailerContext,
  runId: string,
  acting: Acting
): Promise<RunChanged> {
  const { collections } = context
  const write = { ...acting, action: 'flow_run.skip' }
  return changeRun(context, flowRuns, runId, write, async (run, { session, now }) => {
    const { flowId, flowVersion, path } = run
    const _id = versionId(flowId, flowVersion)
    const { steps = [] } = (await collections.flowVersions.findOne({ _id }, { session })) ?? {}
    const next = stepAt(steps, path) === undefined ? undefined : pathAfter(steps, path)
    const still: Filter<FlowRunRow> = { _id: runId, status: 'active', path }
    const moved = await (next === undefined
      ? endRun(context, still, { session, now })
      : moveRun(context, still, { session, next }))
    return moved === 0 ? undefined : { before: { path }, after: { path: next ?? null } }
  })
}

async function endRun(
  { queues }: MailerContext,
  still: Filter<FlowRunRow>,
  { session, now }: Changing
): Promise<number> {
  const update = [{ $set: { status: 'completed', exitedAt: now } }, NOT_WAITING]
  return (await queues.flowRuns.withdraw(still, { state: 'done', session, update })).withdrawn
}

async function moveRun(
  { queues }: MailerContext,
  still: Filter<FlowRunRow>,
  { session, next }: Pick<Changing, 'session'> & { readonly next: string }
): Promise<number> {
  const update = [{ $set: { path: next } }, NOT_WAITING]
  return (await queues.flowRuns.reschedule(still, { session, update })).rescheduled
}
