// Takes a run some steps further in the name of an operator, as if its waits were over.
import { versionId } from '@keelson/sdk/versions'
import { audit } from '../../ledger/audit/audit.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { FlowRunRow, FlowVersionRow, RunEntry } from '../../ledger/flow-rows.ts'
import { type FlowRefusal, refused } from './flow-refusal.ts'
import { questionsOf, type RunFacts } from './interpret/facts.ts'
import { interpret } from './interpret/interpret.ts'
import { applyEffects } from './runs/apply-effects.ts'
import { gatherContacts, gatherKind } from './runs/gather-facts.ts'
import { settleRun } from './runs/settle-run.ts'

/** How far, and in whose name. */
export interface AdvanceOptions {
  /** Steps; the wait that the run is at does not count. */
  readonly steps: number
  readonly actor: string
}

/** A run after it was advanced. */
export interface AdvancedRun {
  readonly ok: true
  readonly run: FlowRunRow
  readonly historyAdded: readonly RunEntry[]
}

/** How long workers leave a run alone that was advanced by hand. */
const BY_HAND_MS = 30_000
/** Each kind of facts is asked for at most once. */
const MOST_ASKED = 5

/**
 * The run is taken off its queue meanwhile. A process that dies leaves it parked, and the tick puts it back:
 * effects are keyed by run and step, so none is done twice.
 */
export async function advanceRun(
  context: MailerContext,
  runId: string,
  { steps, actor }: AdvanceOptions
): Promise<AdvancedRun | FlowRefusal> {
  const { collections, queues, clock } = context
  const run = await collections.flowRuns.findOne({ _id: runId })
  if (run === null) return refused('not_found', `There is no run ${runId}.`)
  if (run.status !== 'active') return refused('run_not_active', `The run ${runId} is over.`)
  const _id = versionId(run.flowId, run.flowVersion)
  const version = await collections.flowVersions.findOne({ _id })
  if (version === null) return refused('not_found', `The version of the run ${runId} is gone.`)
  const held = { _id: runId, status: 'active', path: run.path }
  const reason = `advanced by ${actor}`
  const { withdrawn } = await queues.flowRuns.withdraw(held, { state: 'parked', reason })
  if (withdrawn === 0) return refused('run_busy', 'A worker holds the run. Try again.')
  try {
    const now = clock.now()
    const { entries, rest } = await takeSteps(context, run, version, { steps, actor, now })
    // The worker calls addresses.
    const settled = rest.kind === 'call' ? ({ kind: 'more', path: rest.path } as const) : rest
    const result = settleRun({ run, entries, rest: settled }, context.config, now)
    const update = 'update' in result && result.update !== undefined ? result.update : []
    if (result.state === 'scheduled') {
      // A worker would go on before the operator has looked; calls are the worker's alone.
      const free = rest.kind === 'call' ? now.getTime() : now.getTime() + BY_HAND_MS
      const dueAt = new Date(Math.max(result.dueAt.getTime(), free))
      await queues.flowRuns.reschedule({ _id: runId }, { dueAt, update })
    } else await queues.flowRuns.withdraw({ _id: runId }, { state: 'done', update })
    const resource = { collection: 'mailer_flow_runs', id: runId, slug: run.flowSlug }
    await audit(context, { actor, action: 'flow_run.advance', resource, after: { steps } })
    const after = (await collections.flowRuns.findOne({ _id: runId })) ?? run
    return { ok: true, run: after, historyAdded: entries }
  } catch (error) {
    await queues.flowRuns.reschedule({ _id: runId })
    throw error
  }
}

async function takeSteps(
  context: MailerContext,
  run: FlowRunRow,
  version: FlowVersionRow,
  { steps, actor, now }: AdvanceOptions & { readonly now: Date }
) {
  const isWaiting = run.waitSince !== undefined
  const due = isWaiting ? { ...run, nextActionAt: now } : run
  const maxSteps = steps + (isWaiting ? 1 : 0)
  const facts = await gatherContacts(context, [due])
  const asking = [{ run: due, questions: questionsOf(version.steps) }]
  for (let asked = 0; asked < MOST_ASKED; asked++) {
    const known = facts.get(run._id) as RunFacts
    const result = interpret(version.steps, due, known, { now, maxSteps })
    if (result.kind === 'needs') {
      for (const kind of result.facts) await gatherKind(context, kind, asking, facts)
      continue
    }
    const { effects, rest } = result
    const { failed } = await applyEffects(context, [{ run, facts: known, effects }], now)
    if (failed.has(run)) throw failed.get(run)
    return { rest, entries: result.entries.map((entry) => forced(entry, run.path, actor)) }
  }
  throw new TypeError('a run asked for the same facts again')
}

/** The end of the wait that the run was at is marked with who ended it. */
function forced(entry: RunEntry, path: string, forcedBy: string): RunEntry {
  const isForced = entry.action === 'wait_completed' && entry.path === path
  return isForced ? { ...entry, detail: { ...entry.detail, forcedBy } } : entry
}
