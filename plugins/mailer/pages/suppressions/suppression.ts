// A suppression as the pages read and show it.
import type { Static } from '@keelson/sdk'
import { html, type TemplateResult } from 'lit'
import type { suppressionSchema } from '../../admin/suppression-answers.ts'

/** An address that gets no mail. */
export type Suppression = Static<typeof suppressionSchema>

/** Reasons that a delete must state why mail may be sent again. */
const GUARDED: ReadonlySet<string> = new Set(['hard_bounce', 'complaint'])

export const isGuarded = ({ reason }: Pick<Suppression, 'reason'>): boolean => GUARDED.has(reason)

/** An erased contact stays blocked. */
export const isRemovable = ({ reason }: Pick<Suppression, 'reason'>): boolean =>
  reason !== 'gdpr_forget'

type T = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** What is blocked, in words; a category by its name, where it is known. */
export function scopeWords(scope: string, t: T, name?: string): string {
  const [kind = '', category] = scope.split(':')
  if (category === undefined) return t(`scope.${kind}`)
  return t('scope.category', { category: name ?? category })
}

/** Reason and scope as a tag. */
export const suppressionTag = ({ reason, scope, names }: Suppression, t: T): TemplateResult =>
  html`<span class="tag ${GUARDED.has(reason) ? 'bad' : 'warn'}">${t(`suppressed.${reason}`)}</span>
    ${scopeWords(scope, t, names?.category)}`

/** Where a suppression came from, the most exact part that has words; what a host names as a source stays as it is. */
export function sourceWords(source: string, t: T): string {
  const keys = source
    .split(':')
    .map((part) => `cameFrom.${part}`)
    .reverse()
  const known = keys.find((key) => t(key) !== key)
  return known === undefined ? source : t(known)
}
