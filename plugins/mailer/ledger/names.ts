// Names of templates, flows and broadcasts by their slugs: one look-up of each collection for a whole answer.
import { optional, type Static, Type, text } from '@keelson/sdk'
import type { MailerContext } from './context.ts'

const bySlug = Type.Record(Type.String(), Type.String())

/** Schema of {@link NamesBySlug}. */
export const namesBySlugSchema = Type.Object(
  { templates: bySlug, flows: bySlug, broadcasts: bySlug },
  { title: 'NamesBySlug', description: 'What was deleted is left out.' }
)
/** Names by slug. What was deleted has none. */
export type NamesBySlug = Static<typeof namesBySlugSchema>

/** Schema of {@link RowNames}. */
export const rowNamesSchema = Type.Object(
  { template: optional(text), flow: optional(text), broadcast: optional(text) },
  { title: 'RowNames', description: 'Of what the row mentions, where it still exists.' }
)
/** Names of what a row mentions. */
export type RowNames = Static<typeof rowNamesSchema>

/** What a row may mention. */
export interface Mentions {
  readonly templateSlug?: string
  readonly flowSlug?: string
  readonly broadcastSlug?: string
}

type Collections = Pick<MailerContext['collections'], 'templates' | 'flows' | 'broadcasts'>
interface Named {
  readonly collections: Collections
}

/** The names of what rows mention. */
export async function readNames(
  { collections }: Named,
  rows: readonly Mentions[]
): Promise<NamesBySlug> {
  const slugs = (key: keyof Mentions) => [...new Set(rows.flatMap((row) => row[key] || []))]
  const projection = { _id: 0, slug: 1, name: 1 } as const
  // By the unique index of each slug.
  const read = async (name: keyof Collections, wanted: readonly string[]) => {
    if (wanted.length === 0) return {}
    const filter = { slug: { $in: [...wanted] } }
    const found = await (collections[name] as Collections['templates'])
      .find(filter, { projection })
      .toArray()
    return Object.fromEntries(found.map((row) => [row.slug, row.name]))
  }
  const [templates, flows, broadcasts] = await Promise.all([
    read('templates', slugs('templateSlug')),
    read('flows', slugs('flowSlug')),
    read('broadcasts', slugs('broadcastSlug'))
  ])
  return { templates, flows, broadcasts }
}

/** The rows, each with the names of what it mentions. */
export async function withNames<Row extends Mentions>(
  context: Named,
  rows: readonly Row[]
): Promise<(Row & { readonly names: RowNames })[]> {
  const { templates, flows, broadcasts } = await readNames(context, rows)
  const of = (key: keyof RowNames, names: Readonly<Record<string, string>>, slug = ''): RowNames =>
    Object.hasOwn(names, slug) ? { [key]: names[slug] } : {}
  return rows.map((row) => ({
    ...row,
    names: {
      ...of('template', templates, row.templateSlug),
      ...of('flow', flows, row.flowSlug),
      ...of('broadcast', broadcasts, row.broadcastSlug)
    }
  }))
}
