// Which flows, broadcasts and campaigns of other plugins send a template.
import type { BroadcastStatus } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { stepsFrom, templatesOf, walkSteps } from '../../ledger/flow-paths.ts'

/** What sends a template. */
export interface TemplateUse {
  /** `flow`, `broadcast`, or a kind of campaigns of another plugin. */
  readonly kind: string
  readonly slug: string
}

const UNFINISHED: readonly BroadcastStatus[] = ['scheduled', 'sending', 'paused']
/** More of them are not looked through: a host that has so many names what it deletes. */
const MOST = 1_000
const MOST_VERSIONS = 10_000

/**
 * Enabled flows, those that runs still follow, be they paused or of an earlier version, broadcasts that are
 * scheduled or not yet through, and what other plugins name.
 */
export async function usesOfTemplate(
  context: Pick<MailerContext, 'collections' | 'extensions'>,
  slug: string
): Promise<TemplateUse[]> {
  const { flows, broadcasts } = context.collections
  const [enabled, followed, foreign, unfinished] = await Promise.all([
    flows
      .find({ enabled: true }, { projection: { slug: 1, steps: 1 } })
      .limit(MOST)
      .toArray(),
    followedFlows(context, slug),
    foreignUses(context, slug),
    broadcasts
      .find(
        { status: { $in: [...UNFINISHED] } },
        { projection: { slug: 1, templateSlug: 1, splitTest: 1 } }
      )
      .limit(MOST)
      .toArray()
  ])
  const usesOf = (kind: TemplateUse['kind'], slugs: readonly string[]) =>
    slugs.map((one) => ({ kind, slug: one }))
  const live = slugsOf(enabled, slug)
  return [
    ...usesOf('flow', [...new Set([...live, ...followed])]),
    ...usesOf('broadcast', slugsOf(unfinished, slug)),
    ...foreign
  ]
}

/** The same, with the names that people know flows and broadcasts by. */
export async function namedUses(
  context: Pick<MailerContext, 'collections' | 'extensions'>,
  template: string
): Promise<(TemplateUse & { readonly name: string })[]> {
  const uses = await usesOfTemplate(context, template)
  const { flows, broadcasts } = context.collections
  const slugsOfKind = (one: TemplateUse['kind']) =>
    uses.filter(({ kind }) => kind === one).map(({ slug }) => slug)
  const projection = { slug: 1, name: 1 } as const
  const [flowRows, broadcastRows] = await Promise.all([
    flows.find({ slug: { $in: slugsOfKind('flow') } }, { projection }).toArray(),
    broadcasts.find({ slug: { $in: slugsOfKind('broadcast') } }, { projection }).toArray()
  ])
  const named = (rows: readonly { readonly slug: string; readonly name: string }[]) =>
    new Map(rows.map(({ slug, name }) => [slug, name]))
  const known = new Map([
    ['flow', named(flowRows)],
    ['broadcast', named(broadcastRows)]
  ])
  return uses.map((use) => ({ ...use, name: known.get(use.kind)?.get(use.slug) ?? use.slug }))
}

const slugsOf = (rows: readonly { readonly slug: string }[], template: string) =>
  rows.filter((row) => names(row, template)).map((row) => row.slug)

/** Flows with a run under way that the template is ahead of, in whatever version it follows. */
async function followedFlows(
  { collections: { flows, flowVersions, flowRuns } }: Pick<MailerContext, 'collections'>,
  template: string
): Promise<readonly string[]> {
  const versions = flowVersions
    .find({}, { projection: { flowId: 1, version: 1, steps: 1 } })
    .sort({ _id: 1 })
    .limit(MOST_VERSIONS)
  const followed = new Set<string>()
  for await (const { flowId, version: flowVersion, steps } of versions) {
    if (followed.has(flowId) || !names(steps, template)) continue
    const before = [...walkSteps(steps)]
      .map(([path]) => path)
      .filter((path) => templatesOf(stepsFrom(steps, path)).includes(template))
    const query = { flowId, flowVersion, path: { $in: before }, status: 'active' } as const
    const run = await flowRuns.findOne(query, { projection: { _id: 1 } })
    if (run !== null) followed.add(flowId)
  }
  const rows = await flows
    .find({ _id: { $in: [...followed] } }, { projection: { slug: 1 } })
    .toArray()
  return rows.map(({ slug }) => slug)
}

/** What other plugins say of their campaigns. */
async function foreignUses(
  { extensions }: Pick<MailerContext, 'extensions'>,
  template: string
): Promise<readonly TemplateUse[]> {
  const uses: TemplateUse[] = []
  for (const { kind, usesOf } of extensions.campaigns()) {
    const slugs = (await usesOf?.(template)) ?? []
    uses.push(...slugs.map((slug) => ({ kind, slug })))
  }
  return uses
}

/** Whether a `templateSlug` in a definition, however deep, is this one. */
function names(definition: unknown, slug: string): boolean {
  if (typeof definition !== 'object' || definition === null) return false
  return Object.entries(definition).some(([key, value]) =>
    key === 'templateSlug' ? value === slug : names(value, slug)
  )
}
