// What differs between two versions, as lines: for eyes, and for screen readers.
import { registerCatalog } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { DiffLine } from '../ledger/diff-lines.ts'
import texts from './diff-texts.en.json' with { type: 'json' }

const SIGNS = { same: ' ', added: '+', removed: '−', place: ' ' } as const
const isSaid = (kind: DiffLine['kind']): boolean => kind === 'added' || kind === 'removed'

/** What is said about the lines. */
export interface DiffWords {
  t(key: string): string
  /** Says that nothing differs. Default: the lines are shown. */
  readonly none?: string
  /** The name of the lines. */
  readonly label?: string
}

/** Lines of a difference; the sign says what the colour says. */
export function diffView(
  lines: readonly DiffLine[],
  { t, none, label }: DiffWords
): TemplateResult {
  if (none !== undefined && lines.every(({ kind }) => kind === 'same'))
    return html`<p class="dim">${none}</p>`
  registerCatalog('en', texts, {
    de: () => import('./diff-texts.de.json', { with: { type: 'json' } })
  })
  return html`<div class="diff" role="list" aria-label=${label ?? t('diff.changes')} tabindex="0">
    ${lines.map(
      ({ kind, text }) => html`<div class=${kind} role="listitem"
        ><span aria-hidden="true">${SIGNS[kind]}</span
        >${isSaid(kind) ? html`<span class="visually-hidden">${t(`diff.${kind}`)}</span>` : nothing}${text}</div>`
    )}
  </div>`
}
