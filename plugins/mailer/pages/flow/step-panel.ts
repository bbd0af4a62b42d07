// The panel of a step: its form, the same order for every type, and what can be done with the step.
import { icon } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { FlowStep, Predicate, SplitStep } from '../../ledger/flow-steps.ts'
import type { FieldChoices } from './field-choices.ts'
import { fieldView } from './field-view.ts'
import { type Field, withField } from './fields.ts'
import { keepTyped } from './keep-typed.ts'
import { predicateForm } from './predicate-form.ts'
import { STEP_FIELDS } from './step-forms.ts'
import { stepWords, type Words } from './step-words.ts'

/** What a panel shows and does. */
export interface StepPanel {
  readonly step: FlowStep
  readonly number: number
  readonly path: string
  readonly words: Words
  readonly choices: FieldChoices
  readonly isEditable: boolean
  readonly fault: string | undefined
  /** The runs that are at the step; undefined while there are none to show. */
  readonly runsHref: string | undefined
  templateHref(slug: string): string
  onChange(step: FlowStep, about: string): void
  /** What was typed into a field and is not a valid value. */
  unread(name: string): string | undefined
  onUnread(name: string, text: string | undefined): void
  onMove(by: -1 | 1): void
  onDuplicate(): void
  onRemove(): void
}

/** Fields of the window in which a mail may leave have their own heading. */
const isDelivery = ({ path }: Field): boolean => path.startsWith('delivery.')

/** The panel with its head, for the slots of a drawer. */
export function stepPanel(panel: StepPanel): TemplateResult {
  const { step, number, words, isEditable, fault } = panel
  const { t } = words
  const fields = STEP_FIELDS[step.type] ?? []
  const own = fields.filter((field) => !isDelivery(field))
  const delivery = fields.filter(isDelivery)
  return html`<div slot="header" class="panel-head">
      <p><span class="tag">${t(`step.${step.type}`)}</span> <span class="dim">${t('flow.stepNumber', { number })}</span></p>
      <h2>${stepWords(step, words).title}</h2>
    </div>
    ${fault === undefined ? nothing : html`<p class="panel-part problem" role="status">${fault}</p>`}
    <fieldset class="panel-part form" ?disabled=${!isEditable}>
      <legend class="visually-hidden">${t('flow.stepForm')}</legend>
      ${step.type === 'condition' || step.type === 'branch' ? test(panel) : nothing}
      ${formOf(own, panel)} ${step.type === 'split' ? arms(panel, step) : nothing}
      ${template(panel)}
    </fieldset>
    ${
      delivery.length === 0
        ? nothing
        : html`<fieldset class="panel-part form" ?disabled=${!isEditable}>
          <legend>${t('flow.delivery')}</legend>
          ${formOf(delivery, panel)}
        </fieldset>`
    }
    ${foot(panel)}`
}

const formOf = (fields: readonly Field[], panel: StepPanel): TemplateResult[] => {
  const { step, path, words, choices, onChange } = panel
  return fields.map((field) =>
    fieldView(field, step, {
      words,
      choices,
      label: words.t(
        `field.${step.type}.${field.path}`.replace(/\.(waitUntil|send)\.delivery/, '.delivery')
      ),
      unread: panel.unread(field.path),
      onUnread: (text) => panel.onUnread(field.path, text),
      onValue: (value) => onChange(withField(step, field.path, value), `${path} ${field.path}`)
    })
  )
}

function test(panel: StepPanel): TemplateResult {
  const { step, path, words, choices, onChange } = panel
  const { test: predicate } = step as { readonly test?: Predicate }
  return html`<h3>${words.t(`flow.when.${step.type}`)}</h3>
    ${predicateForm(predicate, {
      words,
      choices,
      label: words.t('predicate.rule'),
      unread: panel.unread,
      onUnread: panel.onUnread,
      onChange: (changed, about) =>
        onChange({ ...step, test: changed } as FlowStep, `${path} ${about}`)
    })}`
}

function template({ step, words, templateHref }: StepPanel): TemplateResult | typeof nothing {
  if (step.type !== 'send' || !step.templateSlug) return nothing
  return html`<a class="link" href=${templateHref(step.templateSlug)}>${words.t('flow.openTemplate')}</a>`
}

function arms(panel: StepPanel, step: SplitStep): TemplateResult {
  const { path, words, onChange } = panel
  const { t, format } = words
  const put = (changed: SplitStep['arms'], about: string) =>
    onChange({ ...step, arms: changed }, `${path} ${about}`)
  const total = step.arms.reduce((sum, { percent }) => sum + (percent || 0), 0)
  const row = (arm: SplitStep['arms'][number], at: number) => {
    const set = (field: 'name' | 'percent') => (event: Event) => {
      const { value } = event.target as HTMLInputElement
      const fields = { [field]: field === 'percent' ? Number(value) : value }
      put(step.arms.with(at, { ...arm, ...fields }), `arm ${at} ${field}`)
    }
    const number = at + 1
    return html`<div class="split">
      <input class="field" aria-label=${t('flow.armName', { number })} autocomplete="off" maxlength="128"
        .value=${arm.name ?? ''} @input=${set('name')} />
      <input class="field" type="number" min="0" max="100" aria-label=${t('flow.armShare', { number })}
        ${keepTyped(String(arm.percent ?? 0), (typed) => Number(typed) === arm.percent)} @input=${set('percent')} />
      <button type="button" class="btn quiet icon" aria-label=${t('flow.removeArm', { number })}
        ?disabled=${step.arms.length <= 2}
        @click=${() => put(step.arms.toSpliced(at, 1), 'arm removed')}>${icon('close', 14)}</button>
    </div>`
  }
  const letter = String.fromCharCode(65 + step.arms.length)
  return html`<h3>${t('flow.arms')}</h3>
    ${step.arms.map(row)}
    ${Math.abs(total - 100) < 0.01 ? nothing : html`<p class="problem" role="status">${t('flow.armsTotal', { total: format.number(total) })}</p>`}
    <button type="button" class="link" ?disabled=${step.arms.length >= 10}
      @click=${() => put([...step.arms, { name: letter, percent: 0, steps: [] }], 'arm added')}
    >${t('flow.addArm')}</button>`
}

function foot({ words, isEditable, runsHref, ...panel }: StepPanel): TemplateResult {
  const { t } = words
  return html`<div class="panel-part row">
    ${runsHref === undefined ? nothing : html`<a class="link" href=${runsHref}>${t('flow.runsHere')}</a>`}
    ${
      isEditable
        ? html`<button class="btn" @click=${() => panel.onMove(-1)} aria-label=${t('flow.moveUp')}>${icon('arrow-up', 14)}</button>
          <button class="btn" @click=${() => panel.onMove(1)} aria-label=${t('flow.moveDown')}>${icon('arrow-down', 14)}</button>
          <button class="btn" @click=${panel.onDuplicate}>${t('flow.duplicateStep')}</button>
          <button class="btn quiet push" @click=${panel.onRemove}>${t('flow.removeStep')}</button>`
        : nothing
    }
  </div>`
}
