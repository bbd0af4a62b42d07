// Puts a gate before a flow, so that only contacts with a tag run its steps; and takes it away.
import type { MailerContext } from '../../ledger/context.ts'
import type { FlowRow } from '../../ledger/flow-rows.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { type By, changeFlowRow, getFlow } from './flow-operations.ts'
import { versionId } from './runs/flow-versions.ts'

/** Why a gate stays as it is. */
export interface GateRefusal {
  readonly ok: false
  readonly code: 'not_found' | 'no_live_steps' | 'already_gated' | 'not_gated' | 'conflict'
  readonly message: string
}

/** A flow after the change of its gate. */
export interface GatedFlow {
  readonly ok: true
  readonly flow: FlowRow
  /** The version whose steps it has, behind the gate or without it. */
  readonly of: number
}

const refuse = (code: GateRefusal['code'], message: string): GateRefusal => ({
  ok: false,
  code,
  message
})

/** Publishes a version whose first step lets only contacts with the tag pass. */
export async function gateFlow(
  context: MailerContext,
  slug: string,
  { tag, ...by }: By & { readonly tag: string }
): Promise<GatedFlow | GateRefusal> {
  const flow = await getFlow(context, slug)
  if (flow === null) return refuse('not_found', `There is no flow ${slug}.`)
  if (flow.version === 0) return refuse('no_live_steps', `The flow ${slug} was never published.`)
  if (flow.gate) return refuse('already_gated', `The flow ${slug} is behind ${flow.gate.tag}.`)
  const gate: FlowStep = { type: 'condition', test: { hasTag: tag }, ifFalse: 'exit' }
  const of = flow.version
  const change = { steps: [gate, ...flow.steps], gate: { tag, of } }
  return publishVersion(context, flow, { action: 'flow.gate', ...by, change, of })
}

/** Publishes the steps of before the gate once more. */
export async function ungateFlow(
  context: MailerContext,
  slug: string,
  by: By
): Promise<GatedFlow | GateRefusal> {
  const flow = await getFlow(context, slug)
  if (flow === null) return refuse('not_found', `There is no flow ${slug}.`)
  if (!flow.gate) return refuse('not_gated', `The flow ${slug} has no gate.`)
  const { of } = flow.gate
  const before = await context.collections.flowVersions.findOne({ _id: versionId(flow._id, of) })
  const steps = before?.steps ?? flow.steps.slice(1)
  return publishVersion(context, flow, {
    action: 'flow.ungate',
    ...by,
    change: { steps, gate: null },
    of
  })
}

interface VersionChange extends By {
  readonly action: string
  readonly change: Pick<FlowRow, 'steps'> & { readonly gate: NonNullable<FlowRow['gate']> | null }
  readonly of: number
}

async function publishVersion(
  context: MailerContext,
  { slug, version: current }: FlowRow,
  { action, actor, change, of }: VersionChange
): Promise<GatedFlow | GateRefusal> {
  const version = current + 1
  const result = await changeFlowRow(
    context,
    slug,
    { action, actor, version: current },
    (_flow, now) => ({ ...change, version, publishedAt: now, publishedBy: actor }),
    async ({ _id: flowId }, now, session) => {
      const published = { publishedAt: now, publishedBy: actor }
      const { steps } = change
      const row = { _id: versionId(flowId, version), flowId, version, steps, ...published }
      await context.collections.flowVersions.insertOne(row, { session })
    }
  )
  if (result.ok) return { ok: true, flow: result.flow, of }
  return refuse(result.code === 'not_found' ? 'not_found' : 'conflict', result.message)
}
