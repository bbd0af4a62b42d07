// Which flows, programs and broadcasts send a template.
import type { BroadcastStatus } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'

/** What sends a template. */
export interface TemplateUse {
  readonly kind: 'flow' | 'broadcast' | 'program'
  readonly slug: string
}

const UNFINISHED: readonly BroadcastStatus[] = ['scheduled', 'sending', 'paused']
/** More of them are not looked through: a host that has so many names what it deletes. */
const MOST = 1_000

/** Enabled flows and programs, and broadcasts that are scheduled or not yet through. */
export async function usesOfTemplate(
  { collections: { flows, programs, broadcasts } }: Pick<MailerContext, 'collections'>,
  slug: string
): Promise<TemplateUse[]> {
  const [enabled, running, unfinished] = await Promise.all([
    flows
      .find({ enabled: true }, { projection: { slug: 1, steps: 1 } })
      .limit(MOST)
      .toArray(),
    programs
      .find({ enabled: true }, { projection: { slug: 1, 'definition.actions.templateSlug': 1 } })
      .limit(MOST)
      .toArray(),
    broadcasts
      .find(
        { status: { $in: [...UNFINISHED] } },
        { projection: { slug: 1, templateSlug: 1, splitTest: 1 } }
      )
      .limit(MOST)
      .toArray()
  ])
  const usesOf = (kind: TemplateUse['kind'], rows: readonly { readonly slug: string }[]) =>
    rows.filter((row) => names(row, slug)).map((row) => ({ kind, slug: row.slug }))
  return [
    ...usesOf('flow', enabled),
    ...usesOf('program', running),
    ...usesOf('broadcast', unfinished)
  ]
}

/** Whether a `templateSlug` in a definition, however deep, is this one. */
function names(definition: unknown, slug: string): boolean {
  if (typeof definition !== 'object' || definition === null) return false
  return Object.entries(definition).some(([key, value]) =>
    key === 'templateSlug' ? value === slug : names(value, slug)
  )
}
