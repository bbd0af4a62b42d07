// Flows at the workbench: simulated, started and advanced by hand.
import type { Actor, Refused } from '@keelson/sdk'
import { advanceRun } from '../campaigns/flows/advance-run.ts'
import { getFlow } from '../campaigns/flows/flow-operations.ts'
import { listRuns } from '../campaigns/flows/run-operations.ts'
import { simulateCohort, templatesOfSteps } from '../campaigns/flows/simulate-cohort.ts'
import { simulateFlow } from '../campaigns/flows/simulate-flow.ts'
import { startRun } from '../campaigns/flows/start-run.ts'
import type { FlowWork } from '../contracts/mailer-workbench.ts'
import type { FlowAtWork, SimulatedFlow } from '../contracts/workbench-states.ts'
import { entryOf } from '../ledger/acting.ts'
import { audit } from '../ledger/audit/audit.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { FlowRow } from '../ledger/flow-rows.ts'
import { MAIL_FIELDS, mailState, runState, runStep } from './states.ts'

const MOST_MAILS = 100

/** The part of the workbench about flows, in the name of an actor. */
export function flowWork(context: MailerContext, actor: Actor): FlowWork {
  const { flowRuns, sends } = context.collections
  return {
    async flow(slug) {
      const row = await getFlow(context, slug)
      return row && atWork(context, row, actor)
    },
    async simulate(slug, request) {
      const result = await simulateFlow(context, slug, request)
      if (!result.ok) return unknownVersion(result)
      return { ...result, flow: named(result) }
    },
    async simulateMany(slug, request) {
      const result = await simulateCohort(context, slug, request)
      if (!result.ok) return unknownVersion(result)
      const { version: _version, ...tally } = result
      return { ...tally, flow: named(result) }
    },
    async run(id) {
      const row = await flowRuns.findOne({ _id: id })
      return row && runState(row)
    },
    async runs(filter) {
      const { rows, ...page } = await listRuns(context, filter)
      return { ...page, rows: rows.map(runState) }
    },
    async mailsOfRun(id) {
      const options = { projection: MAIL_FIELDS, sort: { queuedAt: 1 }, limit: MOST_MAILS } as const
      return (await sends.find({ flowRunId: id }, options).toArray()).map(mailState)
    },
    advanceRun: (id, steps) => advanced(context, id, { steps, actor: actor.name })
  }
}

async function advanced(
  context: MailerContext,
  id: string,
  options: Parameters<typeof advanceRun>[2]
): ReturnType<FlowWork['advanceRun']> {
  const { sends } = context.collections
  const before = await sends.distinct('_id', { flowRunId: id })
  const result = await advanceRun(context, id, options)
  if (!result.ok) return runRefusal(result)
  const made = await sends
    .find({ flowRunId: id, _id: { $nin: before } }, { projection: MAIL_FIELDS })
    .limit(MOST_MAILS)
    .toArray()
  return {
    ok: true,
    run: runState(result.run),
    historyAdded: result.historyAdded.map(runStep),
    mails: made.map(mailState)
  }
}

/** Every other reason is that it is over. */
function runRefusal({ code, message }: { readonly code: string; readonly message: string }) {
  if (code === 'not_found') return { ok: false, code: 'run_not_found', message } as const
  const word = code === 'run_busy' ? 'run_busy' : 'run_not_active'
  return { ok: false, code: word, message } as const
}

const unknownVersion = <Word extends string>({
  error: code
}: {
  readonly error: Word
}): Refused<Word> => ({ ok: false, code })

const named = ({
  flow: { slug, enabled },
  version
}: {
  readonly flow: FlowRow
  readonly version: number
}): SimulatedFlow => ({ slug, version, enabled })

const atWork = (context: MailerContext, row: FlowRow, actor: Actor): FlowAtWork => ({
  slug: row.slug,
  version: row.version,
  enabled: row.enabled,
  gateTag: row.gate?.tag ?? null,
  stepCount: row.steps.length,
  templates: templatesOfSteps(row.steps),
  async start(contact, options = {}) {
    const started = await startRun(context, row, { contact, ...options })
    if (started.isNew) {
      const resource = { collection: 'mailer_flow_runs', id: started.runId, slug: row.slug }
      const after = { externalId: contact.externalId }
      await audit(context, { ...entryOf(actor), action: 'flow_run.start', resource, after })
    }
    return started
  }
})
