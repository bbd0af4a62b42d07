// A finding beside its place: what is wrong, the button that mends it, the way to the next one.
import { css, html, nothing, type TemplateResult } from 'lit'
import type { Finding } from './findings.ts'
import type { Fix } from './fixes.ts'

/** What can be done about findings. */
export interface FindingActs {
  t(key: string, values?: Readonly<Record<string, string | number>>): string
  /** What mends it for sure. */
  fixOf(finding: Finding): Fix | undefined
  onFix(fix: Fix): void
  /** Goes to the next one. */
  onNext(): void
}

/** The button that mends a finding; nothing where a person must decide. */
export function fixButton(finding: Finding, { t, fixOf, onFix }: FindingActs) {
  const fix = fixOf(finding)
  if (fix === undefined) return nothing
  return html`<button class="btn" @click=${() => onFix(fix)}>${t(`template.fix.${fix.name}`)}</button>`
}

/** A finding and its buttons. What a fix does needs no hint. */
export function findingNote(finding: Finding, acts: FindingActs): TemplateResult {
  const { severity, message, hint } = finding
  const { t, fixOf, onNext } = acts
  return html`<div class="note ${severity}" contenteditable="false">
    <p><b>${message}</b> ${fixOf(finding) === undefined ? hint : nothing}</p>
    <div class="row">${fixButton(finding, acts)}
      <button class="btn quiet" @click=${onNext}>${t('template.nextFinding')} <kbd>F8</kbd></button></div>
  </div>`
}

/** Styles of a note. */
export const noteStyles = css`
  .note { display: grid; gap: 6px; margin: 4px 9px 8px; padding: 8px 11px; max-inline-size: 520px; border: 1px solid var(--_hair-strong); border-inline-start: 3px solid var(--_bad); border-radius: var(--_radius); background: var(--_surface); color: var(--_ink); font: var(--_text-sm) / 1.45 var(--_font, inherit); white-space: normal; }
  .note.warning { border-inline-start-color: var(--_warn); }
  .note.info { border-inline-start-color: var(--_info); }
  .note p { margin: 0; overflow-wrap: anywhere; }
`
