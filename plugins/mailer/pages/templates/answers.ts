// Templates as the list answers them.
import type { AsJson } from '@keelson/ui'
import type { TemplateSummary } from '../../content/templates/read-templates.ts'

/** A template in the list. */
export type TemplateLine = Omit<AsJson<TemplateSummary>, 'kind'> & Pick<TemplateSummary, 'kind'>

/** Templates of a kind whose name, slug or subject has all words. Pure. */
export function matching(
  lines: readonly TemplateLine[],
  { kind, search }: { readonly kind: string; readonly search: string }
): readonly TemplateLine[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return lines.filter((line) => {
    if (kind !== '' && line.kind !== kind) return false
    const text = `${line.name} ${line.slug} ${line.subject}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
