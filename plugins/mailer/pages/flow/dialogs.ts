// The dialogs of the Flow page: what step to add, what a publish changes, whose draft to keep.
import { formDialog } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { DiffLine } from '../../ledger/diff-lines.ts'
import { diffView } from '../diff-view.ts'
import { drawGlyph } from './glyphs.ts'
import { STEP_TYPES, type StepType } from './step-forms.ts'

type T = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** Which type of step to add. */
export function addDialog(
  t: T,
  onType: (type: StepType) => void,
  onClose: () => void
): TemplateResult {
  return html`<keelson-dialog open heading=${t('flow.addStep')} width="560" @keelson-close=${onClose}>
    <div class="types">
      ${STEP_TYPES.map(
        (type) => html`<button class="type is-${type}" @click=${() => onType(type)}>
          <span class="glyph">${drawGlyph(type)}</span>
          <span class="what"><b>${t(`step.${type}`)}</b><small>${t(`stepText.${type}`)}</small></span>
        </button>`
      )}
    </div>
  </keelson-dialog>`
}

/** What publishing changes. */
export interface PublishDialog {
  readonly t: T
  readonly next: number
  readonly lines: readonly DiffLine[]
  /** Runs that go on with the version they entered. */
  readonly active: number
  readonly isEnabled: boolean
  readonly problem: string
  readonly isSending: boolean
  onPublish(enable: boolean): void
  onClose(): void
}

/** The last look before a publish. */
export function publishDialog(dialog: PublishDialog): TemplateResult {
  const { t, next, lines, active, isEnabled, problem, isSending, onPublish, onClose } = dialog
  return formDialog({
    heading: t('flow.publishHeading', { version: next }),
    action: t('flow.publish', { version: next }),
    width: 640,
    body: html`${diffView(lines, { t, none: t('flow.noChanges') })}
      ${active === 0 ? nothing : html`<p>${t('flow.activeStay', { count: active })}</p>`}
      <label class="choice"><input type="checkbox" name="enable" .checked=${isEnabled || next === 1} /><span>${t('flow.enable')}</span></label>`,
    t,
    problem,
    isSending,
    onClose,
    onSubmit: (form) => onPublish(new FormData(form).get('enable') !== null)
  })
}
