// Publishes the draft of a flow, or the steps of an earlier version once more.
import type { MailerContext } from '../../ledger/context.ts'
import type { FlowRow } from '../../ledger/flow-rows.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import {
  type By,
  changeFlowRow,
  enabling,
  type FlowResult,
  getFlow,
  getFlowVersion,
  unknownFlow
} from './flow-operations.ts'
import { type FlowRefusal, refused } from './flow-refusal.ts'
import { checkSteps } from './interpret/check-steps.ts'
import { versionId } from './runs/flow-versions.ts'

type PublishRefusal = 'not_found' | 'conflict' | 'draft_conflict' | 'invalid_steps'

/**
 * Publishes the draft as the next version, and enables the flow unless `enable` is false. Runs that are under
 * way keep their version.
 */
export async function publishFlow(
  context: MailerContext,
  slug: string,
  { enable = true }: { readonly enable?: boolean },
  { ifRevision, ...by }: By & { readonly ifRevision?: number }
): Promise<FlowResult<PublishRefusal | 'empty_flow'>> {
  const flow = await getFlow(context, slug)
  if (flow === null) return unknownFlow(slug)
  const steps = flow.draft?.steps ?? []
  if (steps.length === 0) return refused('empty_flow', `The draft of ${slug} has no steps.`)
  // A draft that changes after it was read here is neither published unread nor lost.
  const { revision = 0 } = flow
  const write = { action: 'flow.publish', ...by, ifRevision: ifRevision ?? revision, steps }
  return publishSteps(context, flow, write, (current, now) => ({
    draft: null,
    ...(enable && enabling(current, now, by))
  }))
}

/** Publishes the steps of an earlier version as the next one. Draft and trigger stay, enabled or not. */
export async function rollbackFlow(
  context: MailerContext,
  slug: string,
  version: number,
  by: By
): Promise<FlowResult<PublishRefusal | 'version_not_found'>> {
  const flow = await getFlow(context, slug)
  if (flow === null) return unknownFlow(slug)
  const earlier = await getFlowVersion(context, slug, version)
  if (earlier === null) return unknownVersion(slug, version)
  const write = { action: 'flow.rollback', ...by, steps: earlier.steps }
  return publishSteps(context, flow, write, () => ({}))
}

export const unknownVersion = (slug: string, version: unknown): FlowRefusal<'version_not_found'> =>
  refused('version_not_found', `The flow ${slug} has no version ${version}.`)

/** Faults of steps that may be anything; templates that they name must be published. */
export async function faultsOfSteps({ templates }: MailerContext, steps: unknown) {
  const published = await templates.load(templateSlugs(steps))
  return checkSteps(steps, new Set(published.keys()))
}

interface Publish extends By {
  readonly action: string
  readonly steps: readonly FlowStep[]
  readonly ifRevision?: number
}

async function publishSteps(
  context: MailerContext,
  { slug, version: published }: FlowRow,
  { steps, ...by }: Publish,
  more: (flow: FlowRow, now: Date) => Partial<FlowRow>
): Promise<FlowResult<PublishRefusal>> {
  const faults = await faultsOfSteps(context, steps)
  const [first] = faults
  if (first !== undefined) return refused('invalid_steps', first.message, faults)
  const version = published + 1
  return changeFlowRow(
    context,
    slug,
    { ...by, version: published },
    (flow, now) => ({
      ...{ steps, gate: null, version, publishedAt: now, publishedBy: by.actor },
      ...more(flow, now)
    }),
    async ({ _id: flowId }, now, session) => {
      const row = { _id: versionId(flowId, version), flowId, version, steps }
      const publication = { publishedAt: now, publishedBy: by.actor }
      await context.collections.flowVersions.insertOne({ ...row, ...publication }, { session })
    }
  )
}

/** Every template that steps name, of a draft that may be anything. */
function templateSlugs(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { templateSlug } = value as { readonly templateSlug?: unknown }
  const own = typeof templateSlug === 'string' ? [templateSlug] : []
  return [...new Set([...own, ...Object.values(value).flatMap(templateSlugs)])]
}
