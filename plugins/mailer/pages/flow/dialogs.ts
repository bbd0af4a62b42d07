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

/** What becomes of the people in a flow that is paused. */
export interface PauseDialog {
  readonly t: T
  /** People in the flow. */
  readonly active: number
  readonly problem: string
  readonly isSending: boolean
  onPause(stops: boolean): void
  onClose(): void
}

/** Pausing, with a choice: people finish, or everybody stops now. */
export function pauseDialog(dialog: PauseDialog): TemplateResult {
  const { t, active, problem, isSending, onPause, onClose } = dialog
  const choice = (name: 'finish' | 'stop') => html`<label class="choice">
    <input type="radio" name="people" value=${name} .checked=${name === 'finish'} />
    <span><b>${t(`flow.pause.${name}`)}</b><br /><small class="dim">${t(`flow.pause.${name}Text`, { count: active })}</small></span>
  </label>`
  return formDialog({
    heading: t('flow.pauseHeading', { count: active }),
    action: t('flow.pause'),
    width: 480,
    body: html`<fieldset class="form"><legend class="visually-hidden">${t('flow.pausePeople')}</legend>${choice('finish')} ${choice('stop')}</fieldset>`,
    t,
    problem,
    isSending,
    onClose,
    onSubmit: (form) => onPause(new FormData(form).get('people') === 'stop')
  })
}

/** What publishing changes. */
export interface PublishDialog {
  readonly t: T
  readonly next: number
  readonly lines: readonly DiffLine[]
  /** Runs that go on with the version they entered. */
  readonly active: number
  readonly isEnabled: boolean
  /** What is doubtful about it, a sentence each. */
  readonly doubts: readonly string[]
  readonly problem: string
  readonly isSending: boolean
  onPublish(enable: boolean): void
  onClose(): void
}

/** The last look before a publish. */
export function publishDialog(dialog: PublishDialog): TemplateResult {
  const { t, next, lines, active, isEnabled, doubts, problem, isSending } = dialog
  return formDialog({
    heading: t('flow.publishHeading', { version: next }),
    action: t('flow.publish', { version: next }),
    width: 640,
    body: html`${diffView(lines, { t, none: t('flow.noChanges') })}
      ${doubts.map((one) => html`<p class="doubt" role="status">${one}</p>`)}
      ${active === 0 ? nothing : html`<p>${t('flow.activeStay', { count: active })}</p>`}
      <label class="choice"><input type="checkbox" name="enable" .checked=${isEnabled || next === 1} /><span>${t('flow.enable')}</span></label>`,
    t,
    problem,
    isSending,
    onClose: dialog.onClose,
    onSubmit: (form) => dialog.onPublish(new FormData(form).get('enable') !== null)
  })
}
