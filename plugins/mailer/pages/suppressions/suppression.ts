// A suppression as the pages read and show it.
import type { AsJson } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { SuppressionRow } from '../../ledger/contact-rows.ts'

/** A suppression as the API answers it. */
export type SuppressionAnswer = AsJson<SuppressionRow>

/** Reasons that a delete must state why mail may be sent again. */
const GUARDED: ReadonlySet<string> = new Set(['hard_bounce', 'complaint'])

export const isGuarded = ({ reason }: Pick<SuppressionAnswer, 'reason'>): boolean =>
  GUARDED.has(reason)

/** An erased contact stays blocked. */
export const isRemovable = ({ reason }: Pick<SuppressionAnswer, 'reason'>): boolean =>
  reason !== 'gdpr_forget'

type T = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** What is blocked, in words. */
export function scopeWords(scope: string, t: T): string {
  const [kind = '', category] = scope.split(':')
  return category === undefined ? t(`scope.${kind}`) : t('scope.category', { category })
}

/** Reason and scope as a tag. */
export const suppressionTag = ({ reason, scope }: SuppressionAnswer, t: T): TemplateResult =>
  html`<span class="tag ${GUARDED.has(reason) ? 'bad' : 'warn'}">${t(`suppressed.${reason}`)}</span>
    ${scopeWords(scope, t)}`
