// What the mailer asks about programs: who let them send, their names, and which of them send a template.
import type { Owner } from '@keelson/sdk'
import type { ProgramContext } from '../program-context.ts'

/** More programs are not looked through: a host that has so many names what it deletes. */
const MOST = 1_000

type Stored = Pick<ProgramContext, 'collections'>

/** Who let each program send, by slug; null for the host itself, and for programs of before owners were stored. */
export async function ownersOf(
  { collections }: Stored,
  slugs: readonly string[]
): Promise<ReadonlyMap<string, Owner | null>> {
  const rows = await collections.programs
    .find({ slug: { $in: [...slugs] } }, { projection: { slug: 1, owner: 1 } })
    .toArray()
  return new Map(rows.map(({ slug, owner = null }) => [slug, owner]))
}

/** The names of programs by slug. */
export async function namesOf(
  { collections }: Stored,
  slugs: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const rows = await collections.programs
    .find({ slug: { $in: [...slugs] } }, { projection: { slug: 1, name: 1 } })
    .toArray()
  return new Map(rows.map(({ slug, name }) => [slug, name]))
}

/** Programs that send a template: those that are enabled, or paused with a run under way. */
export async function usesOfTemplate(
  { collections: { programs, programRuns } }: Stored,
  template: string
): Promise<readonly string[]> {
  const rows = await programs
    .find({ 'definition.actions.templateSlug': template }, { projection: { slug: 1, enabled: 1 } })
    .sort({ _id: 1 })
    .limit(MOST)
    .toArray()
  const using: string[] = []
  for (const { _id: programId, slug, enabled } of rows) {
    const run = enabled || (await programRuns.findOne({ programId, status: 'active' }))
    if (run !== null) using.push(slug)
  }
  return using
}
