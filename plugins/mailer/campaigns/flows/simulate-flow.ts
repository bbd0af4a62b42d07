// Simulates a flow for one contact: reads what is known of the contact, then walks a version.
import { versionId } from '@keelson/sdk/versions'
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import type { FlowRow, FlowTrigger } from '../../ledger/flow-rows.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { getFlow } from './flow-operations.ts'
import { type SimulatedRun, simulateRun } from './interpret/simulate-run.ts'
import { factsOfRuns, type KnownEntry, reasonsAgainst, simulatedRun } from './simulated-entries.ts'

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
      /** Their codes, in the same order. */
      readonly reasonCodes: readonly string[]
    } & SimulatedRun)
  | { readonly ok: false; readonly error: 'flow_not_found' | 'version_not_found' }

/** Writes and sends nothing. */
export async function simulateFlow(
  context: MailerContext,
  slug: string,
  request: SimulationRequest
): Promise<Simulation> {
  const { contact, at, eventProperties, version: wanted, steps: unpublished } = request
  const found = await getFlow(context, slug)
  if (found === null) return { ok: false, error: 'flow_not_found' }
  const flow = { ...found, ...defined({ trigger: request.trigger }) }
  const version = wanted ?? flow.version
  const { flowVersions } = context.collections
  const row = await flowVersions.findOne({ _id: versionId(flow._id, version) })
  if (row === null && wanted !== undefined) return { ok: false, error: 'version_not_found' }
  const steps = unpublished ?? row?.steps ?? flow.steps
  const enteredAt = at ?? context.clock.now()
  const run = simulatedRun(flow, contact, { enteredAt, eventProperties })
  const known = (await factsOfRuns(context, steps, [run])).get(run._id) as KnownEntry
  const reasonCodes = [...whyOff(flow), ...reasonsAgainst(flow, known, steps)]
  const reasons = reasonCodes.map(wordsOf)
  const ran = simulateRun(steps, run, known.facts)
  return { ok: true, flow, version, enteredAt, reasons, reasonCodes, ...ran }
}

function whyOff({ enabled, version }: Pick<FlowRow, 'enabled' | 'version'>): readonly string[] {
  if (version === 0) return ['not_published']
  return enabled ? [] : ['disabled']
}

const WORDS: Readonly<Record<string, string>> = {
  disabled: 'The flow is disabled.',
  not_published: 'The flow was never published.',
  no_steps: 'The flow has no published steps.',
  contact_unknown: 'The contact adapter does not have the contact.',
  no_subscription: 'The contact is not subscribed: it has no subscription.',
  was_in_it: 'The flow runs once, and the contact was in it.'
}

/** Other codes are the status of the subscription. */
const wordsOf = (code: string): string => WORDS[code] ?? `The contact is not subscribed: ${code}.`
