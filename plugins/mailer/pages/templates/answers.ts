// Templates as the list answers them.
import type { AsJson, Narrowing } from '@keelson/ui'
import type { TemplateSummary } from '../../content/templates/read-templates.ts'

/** A template in the list. */
export type TemplateLine = Omit<AsJson<TemplateSummary>, 'kind'> & Pick<TemplateSummary, 'kind'>

/** Whether a template is of the kind, and its name, slug or subject has all words. Pure. */
export function matches(line: TemplateLine, { kind, q = '' }: Narrowing): boolean {
  if (kind !== undefined && line.kind !== kind) return false
  const text = `${line.name} ${line.slug} ${line.subject}`.toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
