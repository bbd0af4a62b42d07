// Names of what rows mention by slug or id: one look-up of each collection for a whole answer.
import { optional, type Static, Type, text } from '@keelson/sdk'
import type { MailCampaign } from '../contracts/mailer-campaigns.ts'
import type { MailerContext } from './context.ts'

const bySlug = Type.Record(Type.String(), Type.String())

/** Schema of {@link NamesBySlug}. */
export const namesBySlugSchema = Type.Object(
  {
    templates: bySlug,
    flows: bySlug,
    broadcasts: bySlug,
    segments: bySlug,
    categories: bySlug,
    campaigns: Type.Record(Type.String(), Type.String(), {
      description: 'Of other plugins, by kind and slug: `program:activation`.'
    })
  },
  { title: 'NamesBySlug', description: 'What was deleted is left out.' }
)
/** Names by slug. What was deleted has none. */
export type NamesBySlug = Static<typeof namesBySlugSchema>

/** Schema of {@link RowNames}. */
export const rowNamesSchema = Type.Object(
  {
    template: optional(text),
    flow: optional(text),
    broadcast: optional(text),
    segment: optional(text),
    category: optional(text),
    campaign: optional(text)
  },
  { title: 'RowNames', description: 'Of what the row mentions, where it still exists.' }
)
/** Names of what a row mentions. */
export type RowNames = Static<typeof rowNamesSchema>

/** What a row may mention. */
export interface Mentions {
  readonly templateSlug?: string
  readonly flowSlug?: string
  readonly broadcastSlug?: string
  readonly segmentSlug?: string
  readonly category?: string
  readonly campaign?: Pick<MailCampaign, 'kind' | 'slug'>
}

type Named = Pick<MailerContext, 'collections' | 'config' | 'extensions' | 'log'>
type Stored = 'templates' | 'flows' | 'broadcasts' | 'segments'
type Names = Readonly<Record<string, string>>

/** The key of a campaign in `NamesBySlug`. */
const campaignKey = ({ kind, slug }: Pick<MailCampaign, 'kind' | 'slug'>): string =>
  `${kind}:${slug}`

/** By the unique index of each slug. */
async function readStored(
  { collections }: Named,
  name: Stored,
  mentioned: readonly (string | undefined)[]
): Promise<Names> {
  const slugs = [...new Set(mentioned.flatMap((slug) => slug || []))]
  if (slugs.length === 0) return {}
  const projection = { _id: 0, slug: 1, name: 1 } as const
  const found = await (collections[name] as Named['collections']['templates'])
    .find({ slug: { $in: slugs } }, { projection })
    .toArray()
  return Object.fromEntries(found.map((row) => [row.slug, row.name]))
}

/** As their plugins name them. One that does not answer leaves the slugs. */
async function readCampaigns(
  { extensions, log }: Named,
  mentioned: readonly Pick<MailCampaign, 'kind' | 'slug'>[]
): Promise<Names> {
  const read = extensions.campaigns().map(async ({ kind, names }) => {
    const slugs = [...new Set(mentioned.flatMap((one) => (one.kind === kind ? one.slug : [])))]
    if (names === undefined || slugs.length === 0) return []
    try {
      return [...(await names(slugs))].map(([slug, name]) => [campaignKey({ kind, slug }), name])
    } catch (error) {
      log.warn({ err: error, kind }, 'mailer: names of campaigns cannot be read')
      return []
    }
  })
  return Object.fromEntries((await Promise.all(read)).flat())
}

/** The names of what rows mention. */
export async function readNames(context: Named, rows: readonly Mentions[]): Promise<NamesBySlug> {
  const stored = (name: Stored, key: Exclude<keyof Mentions, 'campaign'>) =>
    readStored(
      context,
      name,
      rows.map((row) => row[key])
    )
  const [templates, flows, broadcasts, segments, campaigns] = await Promise.all([
    stored('templates', 'templateSlug'),
    stored('flows', 'flowSlug'),
    stored('broadcasts', 'broadcastSlug'),
    stored('segments', 'segmentSlug'),
    readCampaigns(
      context,
      rows.flatMap(({ campaign }) => campaign ?? [])
    )
  ])
  const ids = new Set(rows.map(({ category }) => category))
  const known = (context.config.categories ?? []).filter(({ id }) => ids.has(id))
  const categories = Object.fromEntries(known.map(({ id, label }) => [id, label]))
  return { templates, flows, broadcasts, segments, categories, campaigns }
}

/** The rows, each with the names of what it mentions; `mentionsOf` reads that of other rows. */
export async function withNames<Row extends object>(
  context: Named,
  rows: readonly Row[],
  mentionsOf: (row: Row) => Mentions = (row) => row
): Promise<(Row & { readonly names: RowNames })[]> {
  const mentions = rows.map(mentionsOf)
  const names = await readNames(context, mentions)
  return rows.map((row, at) => ({ ...row, names: namesIn(names, mentions[at] ?? {}) }))
}

function namesIn(names: NamesBySlug, row: Mentions): RowNames {
  const of = (key: keyof RowNames, known: Names, slug = ''): RowNames =>
    Object.hasOwn(known, slug) ? { [key]: known[slug] } : {}
  return {
    ...of('template', names.templates, row.templateSlug),
    ...of('flow', names.flows, row.flowSlug),
    ...of('broadcast', names.broadcasts, row.broadcastSlug),
    ...of('segment', names.segments, row.segmentSlug),
    ...of('category', names.categories, row.category),
    ...of('campaign', names.campaigns, row.campaign && campaignKey(row.campaign))
  }
}
