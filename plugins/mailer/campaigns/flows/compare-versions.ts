// Compares two versions of a flow, or its draft with what is published.
import { changesBetween, type FieldChange } from '../../ledger/changes-between.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { FlowRow } from '../../ledger/flow-rows.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { getFlow, getFlowVersion, unknownFlow } from './flow-operations.ts'
import type { FlowRefusal } from './flow-refusal.ts'
import { unknownVersion } from './publish-flow.ts'

/** A state of a flow: a version, or its draft. */
export type ComparedState = number | 'draft' | 'published'

/** Changes of the steps. A flow that was never published begins empty. */
export async function compareFlow(
  context: MailerContext,
  slug: string,
  [from, to]: readonly [ComparedState, ComparedState]
): Promise<
  | { readonly ok: true; readonly changes: readonly FieldChange[] }
  | FlowRefusal<'not_found' | 'version_not_found'>
> {
  const flow = await getFlow(context, slug)
  if (flow === null) return unknownFlow(slug)
  const [before, after] = await Promise.all([
    stepsOf(context, flow, from),
    stepsOf(context, flow, to)
  ])
  if (before === undefined) return unknownVersion(slug, from)
  if (after === undefined) return unknownVersion(slug, to)
  return { ok: true, changes: changesBetween({ steps: before }, { steps: after }) }
}

async function stepsOf(
  context: MailerContext,
  flow: FlowRow,
  state: ComparedState
): Promise<readonly FlowStep[] | undefined> {
  if (state === 'published') return flow.steps
  if (state === 'draft') return flow.draft?.steps ?? flow.steps
  return (await getFlowVersion(context, flow.slug, state))?.steps
}
