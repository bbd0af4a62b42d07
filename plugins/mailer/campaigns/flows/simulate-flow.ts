// Simulates a flow for one contact: reads what is known of the contact, then walks a version.
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import type { FlowRow, FlowTrigger } from '../../ledger/flow-rows.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { versionId } from '../../ledger/versions/versioned-row.ts'
import { newRun } from './decide-entries.ts'
import { getFlow } from './flow-operations.ts'
import { questionsOf, type RunFacts } from './interpret/facts.ts'
import { type SimulatedRun, simulateRun } from './interpret/simulate-run.ts'
import { gatherContacts, gatherKind } from './runs/gather-facts.ts'

/** What is simulated. */
export interface SimulationRequest {
  readonly contact: MailContact
  /** When the contact enters. Default: now. */
  readonly at?: Date
  readonly eventProperties?: Readonly<Record<string, unknown>>
  /** Default: the live version. */
  readonly version?: number
  /** Steps that are not published, checked already. */
  readonly steps?: readonly FlowStep[]
  /** What would start it. Default: what does. */
  readonly trigger?: FlowTrigger
}

/** What it came to. */
export type Simulation =
  | ({
      readonly ok: true
      readonly flow: FlowRow
      readonly version: number
      readonly enteredAt: Date
      /** Why the contact would not enter now; empty when it would. */
      readonly reasons: readonly string[]
    } & SimulatedRun)
  | { readonly ok: false; readonly error: 'flow_not_found' | 'version_not_found' }

/** Writes and sends nothing. */
export async function simulateFlow(
  context: MailerContext,
  slug: string,
  request: SimulationRequest
): Promise<Simulation> {
  const { contact, at, eventProperties = {}, version: wanted, steps: unpublished } = request
  const found = await getFlow(context, slug)
  if (found === null) return { ok: false, error: 'flow_not_found' }
  const flow = { ...found, ...defined({ trigger: request.trigger }) }
  const version = wanted ?? flow.version
  const { flowVersions, flowRuns } = context.collections
  const row = await flowVersions.findOne({ _id: versionId(flow._id, version) })
  if (row === null && wanted !== undefined) return { ok: false, error: 'version_not_found' }
  const steps = unpublished ?? row?.steps ?? flow.steps
  const enteredAt = at ?? context.clock.now()
  const { externalId, email } = contact
  const { trigger } = flow
  const name = trigger.type === 'event' ? trigger.eventName : trigger.type
  const triggerEvent = { name, properties: eventProperties }
  const run = newRun({ flow, externalId, email, triggerEvent, key: 'simulated' }, enteredAt)
  const facts = await gatherContacts(context, [run])
  const asking = [{ run, questions: questionsOf(steps) }]
  await gatherKind(context, 'events', asking, facts)
  await gatherKind(context, 'engagement', asking, facts)
  await gatherKind(context, 'transactional', asking, facts)
  const known = facts.get(run._id) as RunFacts
  const before = await flowRuns.findOne(
    { externalId, flowId: flow._id },
    { projection: { _id: 1 } }
  )
  const hasRun = before !== null
  const reasons = reasonsAgainst({ flow, steps: steps.length, known, hasRun })
  return { ok: true, flow, version, enteredAt, reasons, ...simulateRun(steps, run, known) }
}

interface Entering {
  readonly flow: FlowRow
  readonly steps: number
  readonly known: RunFacts
  readonly hasRun: boolean
}

function reasonsAgainst({ flow, steps, known, hasRun }: Entering): readonly string[] {
  const { subscription } = known
  const reasons = [
    flow.enabled ? undefined : 'The flow is disabled.',
    steps > 0 ? undefined : 'The flow has no published steps.',
    subscription === 'subscribed' || (known.transactional?.size ?? 0) > 0
      ? undefined
      : `The contact is not subscribed: ${subscription ?? 'it has no subscription'}.`,
    flow.trigger.once && hasRun ? 'The flow runs once, and the contact was in it.' : undefined
  ]
  return reasons.filter((reason) => reason !== undefined)
}
