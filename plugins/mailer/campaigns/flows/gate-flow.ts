// Puts a gate before a flow, so that only contacts with a tag run its steps; and takes it away.
import { readVersionOf } from '@keelson/sdk/versions'
import type { MailerContext } from '../../ledger/context.ts'
import type { FlowRow } from '../../ledger/flow-rows.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import type { MailWrite } from '../../ledger/mail-versioned.ts'
import { type By, getFlow, writeFlow } from './flow-operations.ts'
import { publishedOf, versionedFlow } from './versioned-flow.ts'

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
  return publishGate(context, flow, { write: { action: 'flow.gate', ...by }, change, of })
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
  const before = await readVersionOf(context, versionedFlow, flow._id, of)
  const change = { steps: before?.steps ?? flow.steps.slice(1), gate: null }
  return publishGate(context, flow, { write: { action: 'flow.ungate', ...by }, change, of })
}

interface GateChange {
  readonly write: MailWrite
  readonly change: Pick<FlowRow, 'steps' | 'gate'>
  readonly of: number
}

async function publishGate(
  context: MailerContext,
  { slug, revision = 0 }: FlowRow,
  { write, change, of }: GateChange
): Promise<GatedFlow | GateRefusal> {
  const result = await writeFlow(context, slug, { ...write, since: revision }, (flow) => ({
    ok: true,
    set: change,
    publish: { by: write.actor, stored: { ...publishedOf(flow), steps: change.steps } }
  }))
  if (result.ok) return { ok: true, flow: result.flow, of }
  return refuse(result.code === 'not_found' ? 'not_found' : 'conflict', result.message)
}
