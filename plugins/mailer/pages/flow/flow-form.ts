// The form of a flow itself: name, what starts it, what it is for.
import { formDialog, formField } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { FlowTrigger } from '../../ledger/flow-rows.ts'
import type { MailApi } from '../mail-api.ts'
import { defineSegmentField } from '../segments/segment-field.ts'
import { slugFrom } from '../slug.ts'
import type { FieldChoices } from './field-choices.ts'
import { eventNames } from './field-view.ts'
import { defineScheduleField } from './schedule-field.ts'
import { silentWords } from './silent-events.ts'

type T = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** What a form shows at first. */
export interface FlowFields {
  /** Undefined for a flow that is there: its slug stays. */
  readonly slug?: string
  readonly name: string
  readonly description: string
  readonly goal: string
  readonly trigger: FlowTrigger
}

/** A new flow. */
export const EMPTY_FLOW: FlowFields = {
  slug: '',
  name: '',
  description: '',
  goal: '',
  trigger: { type: 'event', eventName: '', once: true }
}

/** What the fields show. */
export interface FlowFieldsView {
  readonly t: T
  readonly fields: FlowFields
  readonly choices: FieldChoices
  /** Reads the named segments. */
  readonly api: MailApi
  readonly type: FlowTrigger['type']
  onType(type: FlowTrigger['type']): void
}

/** What the dialog needs. */
export interface FlowForm extends FlowFieldsView {
  readonly problem: string
  readonly isSending: boolean
  onSubmit(data: FormData): void
  onClose(): void
}

const TYPES: readonly FlowTrigger['type'][] = ['event', 'segment_enter', 'cron']

/** What the API takes of a form. */
export function flowBody(data: FormData, isNew: boolean): object {
  const text = (name: string) => String(data.get(name) ?? '').trim()
  const type = text('type')
  const once = data.get('once') !== null
  const segment = () => ({ segmentDefinition: JSON.parse(text('segment') || '{"filters":[]}') })
  const trigger =
    type === 'event'
      ? { type, eventName: text('eventName'), once }
      : type === 'cron'
        ? { type, cronExpression: text('cron'), ...segment(), once }
        : { type, ...segment(), once }
  const name = text('name')
  return {
    name,
    trigger,
    description: text('description'),
    goal: text('goal'),
    ...(isNew && { slug: text('slug') || slugFrom(name) })
  }
}

/** The fields. */
export function flowFields(form: FlowFieldsView): TemplateResult {
  const { t, fields } = form
  return html`${text(form, 'name', fields.name, { required: true })}
    ${fields.slug === undefined ? nothing : text(form, 'slug', '', { hint: t('flowForm.slugHint') })}
    ${trigger(form)}
    ${text(form, 'description', fields.description)} ${text(form, 'goal', fields.goal)}
    ${eventNames(form.choices)}`
}

/** The dialog that changes a flow. */
export function flowDialog(form: FlowForm): TemplateResult {
  const { t, problem, isSending, onClose, onSubmit } = form
  return formDialog({
    heading: t('flowForm.change'),
    action: t('flowForm.save'),
    width: 520,
    body: html`${flowFields(form)}<p class="dim">${t('flowForm.draftHint')}</p>`,
    t,
    problem,
    isSending,
    onClose,
    onSubmit: (element) => onSubmit(new FormData(element))
  })
}

interface TextOptions {
  readonly required?: boolean
  readonly hint?: string
  readonly list?: string
}

function text(
  { t }: FlowFieldsView,
  name: string,
  value: string,
  { required = false, hint, list }: TextOptions = {}
): TemplateResult {
  return formField(
    t(`flowForm.${name}`),
    html`<input class="field" name=${name} ?required=${required} autocomplete="off" list=${list ?? nothing} .value=${value} />`,
    hint
  )
}

/** Typing goes on in the form alone, so what is doubtful is said by the field itself. */
function eventName(form: FlowFieldsView, given: string): TemplateResult {
  const { t, choices } = form
  const said = (name: string) => silentWords(name.trim(), choices.fired, t) ?? ''
  const onInput = ({ target, currentTarget }: Event) => {
    const doubt = (currentTarget as HTMLElement).querySelector('.doubt')
    if (doubt !== null) doubt.textContent = said((target as HTMLInputElement).value)
  }
  return html`<div class="form" @input=${onInput}>
    ${text(form, 'eventName', given, { required: true, list: 'event-names' })}
    <small class="doubt" role="status" .textContent=${said(given)}></small>
  </div>`
}

function trigger(form: FlowFieldsView): TemplateResult {
  const { t, fields, type, onType } = form
  const given = fields.trigger
  return html`<label class="part">
      <span>${t('flowForm.type')}</span>
      <select class="field" name="type" @change=${(event: Event) =>
        onType((event.target as HTMLSelectElement).value as FlowTrigger['type'])}>
        ${TYPES.map((one) => html`<option value=${one} ?selected=${one === type}>${t(`trigger.${one}`)}</option>`)}
      </select>
    </label>
    ${
      type === 'event'
        ? eventName(form, given.type === 'event' ? given.eventName : '')
        : html`${type === 'cron' ? schedule(form) : nothing}${segment(form)}`
    }
    <label class="choice"><input type="checkbox" name="once" .checked=${given.once} /><span>${t('flowForm.once')}</span></label>`
}

function schedule({ t, fields: { trigger: given } }: FlowFieldsView): TemplateResult {
  defineScheduleField()
  const cron = given.type === 'cron' ? given.cronExpression : '0 9 * * 1'
  return html`<div class="part"><span>${t('flowForm.cron')}</span>
    <mailer-schedule-field><input type="hidden" name="cron" value=${cron} /></mailer-schedule-field></div>`
}

function segment({ t, api, fields: { trigger: given } }: FlowFieldsView): TemplateResult {
  defineSegmentField()
  const chosen = 'segmentDefinition' in given ? given.segmentDefinition : { filters: [] }
  return html`<div class="part"><span>${t('flowForm.segment')}</span>
    <mailer-segment-field .api=${api}><input type="hidden" name="segment" value=${JSON.stringify(chosen)} /></mailer-segment-field></div>`
}
