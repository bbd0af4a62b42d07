// Which templates are transactional, and which flows send one: those take contacts without a subscription.
import type { MailerContext } from '../../ledger/context.ts'
import { templatesOf, walkSteps } from '../../ledger/flow-paths.ts'
import type { FlowRow } from '../../ledger/flow-rows.ts'

/** Of these templates, the published ones that are transactional. */
export async function transactionalOf(
  { templates }: Pick<MailerContext, 'templates'>,
  slugs: readonly string[]
): Promise<ReadonlySet<string>> {
  if (slugs.length === 0) return new Set()
  const published = [...(await templates.load(slugs)).values()]
  return new Set(published.flatMap(({ slug, kind }) => (kind === 'transactional' ? [slug] : [])))
}

/** The ids of the flows whose live version sends a transactional template. */
export async function transactionalFlows(
  context: Pick<MailerContext, 'collections' | 'templates'>,
  flowIds: readonly string[]
): Promise<ReadonlySet<string>> {
  if (flowIds.length === 0) return new Set()
  const flows = await context.collections.flows
    .find({ _id: { $in: [...flowIds] } }, { projection: { steps: 1 } })
    .toArray()
  const sent = flows.map(({ _id, steps }) => ({ _id, slugs: slugsOf(steps) }))
  const transactional = await transactionalOf(
    context,
    sent.flatMap(({ slugs }) => slugs)
  )
  const sends = sent.filter(({ slugs }) => slugs.some((slug) => transactional.has(slug)))
  return new Set(sends.map(({ _id }) => _id))
}

const slugsOf = (steps: FlowRow['steps']): readonly string[] =>
  templatesOf([...walkSteps(steps)].map(([, step]) => step))
