// Advances runs that are due, a batch at a time: gather, interpret, do, settle.
import type { BatchHandler, ClaimedItem, ItemResult, Notified } from '@keelson/sdk'
import type { MailerContext } from '../../../ledger/context.ts'
import type { FlowRunRow, RunEntry } from '../../../ledger/flow-rows.ts'
import manifest from '../../../plugin.json' with { type: 'json' }
import type { FactKind, RunFacts } from '../interpret/facts.ts'
import { interpret } from '../interpret/interpret.ts'
import type { Interpretation } from '../interpret/run-state.ts'
import { applyEffects } from './apply-effects.ts'
import { callWebhook } from './call-webhook.ts'
import { createFlowVersions, type FlowVersions, type PreparedVersion } from './flow-versions.ts'
import { type FactsByRun, gatherContacts, gatherKind } from './gather-facts.ts'
import { holdRuns } from './hold-runs.ts'
import { failedRun, laterRun, type PassOfRun, settleRun } from './settle-run.ts'

type Advanced = Extract<Interpretation, { readonly kind: 'advanced' }>

/** A run on its way through a batch. */
interface Advancing {
  readonly run: FlowRunRow
  readonly version: PreparedVersion
}

/** Addresses that are called at the same time; each may take 10 of the 60 seconds of a batch. */
const PARALLEL_CALLS = 50
const ATTEMPTS = manifest.queues.find(({ name }) => name === 'flow-runs')?.attempts ?? 1

/**
 * Handles the queue of runs. The number of queries of a batch does not depend on the number of runs. Effects
 * come before the result, and are keyed by run and step: a crash between the two repeats them without harm.
 */
export function createFlowRunHandler(context: MailerContext): BatchHandler<FlowRunRow> {
  const versions = createFlowVersions(context)
  return { batch: (claimed) => advanceRuns(context, versions, claimed) }
}

async function advanceRuns(
  context: MailerContext,
  versions: FlowVersions,
  claimed: readonly ClaimedItem<FlowRunRow>[]
): Promise<ReadonlyMap<string, ItemResult>> {
  const now = context.clock.now()
  const results = new Map<string, ItemResult>()
  // A run that was ended while it waited has nothing left to do.
  const active = claimed.filter(({ item }) => item.status === 'active')
  for (const { item } of claimed) results.set(item._id, { state: 'done' })
  const free = await holdRuns(
    context,
    active.map(({ item }) => item),
    results
  )
  await versions.load(free)
  const advancing = free.flatMap((run): Advancing[] => {
    const version = versions.of(run)
    if (version !== undefined) return [{ run, version }]
    results.set(run._id, failedRun('flow_missing', run.path, now))
    return []
  })
  const facts = await contactsOf(context, advancing)
  if (facts === undefined) {
    for (const { run } of advancing) results.set(run._id, laterRun(now))
    return results
  }
  const { advanced, broken } = await interpretAll(context, advancing, facts, now)
  const { passes, failed } = await takeEffect(context, advanced, facts, now)
  for (const pass of passes) results.set(pass.run._id, settleRun(pass, context.config, now))
  const tries = new Map(claimed.map(({ item, attempts }) => [item._id, attempts]))
  for (const [run, error] of [...broken, ...failed])
    results.set(run._id, brokenRun(run, error, tries.get(run._id) ?? 1, now))
  return results
}

/** Undefined when the host's adapter fails: that is not a fault of the runs, so it does not count as a try. */
async function contactsOf(
  context: MailerContext,
  advancing: readonly Advancing[]
): Promise<FactsByRun | undefined> {
  if (advancing.length === 0) return new Map()
  try {
    return await gatherContacts(
      context,
      advancing.map(({ run }) => run)
    )
  } catch (error) {
    context.log.warn({ err: error }, 'mailer: flow runs wait, the contacts cannot be read')
    return undefined
  }
}

/** Interprets every run; facts that are missing are fetched for all runs that ask, kind by kind. */
async function interpretAll(
  context: MailerContext,
  advancing: readonly Advancing[],
  facts: FactsByRun,
  now: Date
) {
  const advanced = new Map<FlowRunRow, Advanced>()
  const broken = new Map<FlowRunRow, unknown>()
  let open = advancing
  while (open.length > 0) {
    const asking = new Map<FactKind, Advancing[]>()
    for (const one of open) {
      const { run, version } = one
      try {
        const result = interpret(version.steps, run, facts.get(run._id) as RunFacts, { now })
        if (result.kind === 'advanced') advanced.set(run, result)
        else for (const kind of result.facts) asking.set(kind, [...(asking.get(kind) ?? []), one])
      } catch (error) {
        broken.set(run, error)
      }
    }
    for (const [kind, runs] of asking) {
      const asked = runs.map(({ run, version }) => ({ run, questions: version.questions }))
      await gatherKind(context, kind, asked, facts)
    }
    open = [...new Set([...asking.values()].flat())]
  }
  return { advanced, broken }
}

async function takeEffect(
  context: MailerContext,
  advanced: ReadonlyMap<FlowRunRow, Advanced>,
  facts: FactsByRun,
  now: Date
) {
  const runs = [...advanced].map(([run, { effects }]) => ({
    run,
    facts: facts.get(run._id) as RunFacts,
    effects
  }))
  const { skipped, failed } = await applyEffects(context, runs, now)
  const done = [...advanced].filter(([run]) => !failed.has(run))
  const calls = await callAll(context, done)
  const passes = done.map(([run, { entries, rest }]): PassOfRun => {
    const call = calls.get(run)
    const email = run.emailAtEntry === null ? facts.get(run._id)?.contact?.email : undefined
    return {
      run,
      rest,
      entries: entries.map((entry) =>
        skipped.has(`${run._id}:${entry.path}`) ? skip(entry) : entry
      ),
      ...(call && { call }),
      ...(email !== undefined && { email })
    }
  })
  return { passes, failed }
}

const skip = (entry: RunEntry): RunEntry => ({
  ...entry,
  action: 'send_skipped',
  detail: { ...entry.detail, reason: 'template_missing' }
})

async function callAll(
  context: MailerContext,
  advanced: readonly (readonly [FlowRunRow, Advanced])[]
): Promise<ReadonlyMap<FlowRunRow, Notified>> {
  const calls = new Map<FlowRunRow, Notified>()
  const wanted = advanced.flatMap(([run, { rest }]) =>
    rest.kind === 'call' ? [{ run, rest }] : []
  )
  for (let at = 0; at < wanted.length; at += PARALLEL_CALLS) {
    await Promise.all(
      wanted.slice(at, at + PARALLEL_CALLS).map(async ({ run, rest }) => {
        calls.set(run, await callWebhook(context, run, rest.path, rest.step))
      })
    )
  }
  return calls
}

/** A run that cannot be interpreted does not hold up its neighbours, and does not come back for ever. */
function brokenRun(run: FlowRunRow, error: unknown, attempts: number, now: Date): ItemResult {
  return attempts < ATTEMPTS ? { state: 'failed', error } : failedRun('broken', run.path, now)
}
