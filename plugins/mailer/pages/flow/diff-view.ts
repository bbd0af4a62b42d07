// A difference as lines, for eyes and for screen readers.
import { html, nothing, type TemplateResult } from 'lit'
import type { DiffLine } from './diff-lines.ts'

type T = (key: string) => string

/** Lines of a difference; the sign says what the colour says. */
export function diffView(lines: readonly DiffLine[], t: T): TemplateResult {
  const signs = { same: ' ', added: '+', removed: '−' } as const
  if (lines.every(({ kind }) => kind === 'same'))
    return html`<p class="dim">${t('flow.noChanges')}</p>`
  return html`<div class="diff" role="list" aria-label=${t('flow.changes')} tabindex="0">
    ${lines.map(
      ({ kind, text }) => html`<div class=${kind} role="listitem"
        ><span aria-hidden="true">${signs[kind]}</span
        >${kind === 'same' ? nothing : html`<span class="visually-hidden">${t(`diff.${kind}`)}</span>`}${text}</div>`
    )}
  </div>`
}
