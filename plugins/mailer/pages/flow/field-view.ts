// One field of a form, by its kind.
import { html, nothing, type TemplateResult } from 'lit'
import type { FieldChoices } from './field-choices.ts'
import { type Field, fieldAt, readText, textOf } from './fields.ts'
import { keepTyped } from './keep-typed.ts'
import { silentWords } from './silent-events.ts'
import type { Words } from './step-words.ts'

/** What a field needs beside its value. */
export interface FieldView {
  readonly words: Words
  readonly choices: FieldChoices
  readonly label: string
  /** What was typed and is not a valid value. */
  readonly unread?: string | undefined
  onValue(value: unknown): void
  onUnread?(text: string | undefined): void
}

type Box = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** A field with its label. What cannot be read is marked, and left as it was typed. */
export function fieldView(field: Field, of: unknown, view: FieldView): TemplateResult {
  const value = fieldAt(of, field.path)
  const { label } = view
  if (field.kind === 'flag')
    return html`<label class="choice">
      <input type="checkbox" .checked=${value === true}
        @change=${(event: Event) => view.onValue((event.target as HTMLInputElement).checked || undefined)} />
      <span>${label}</span>
    </label>`
  return html`<label class="part">
    <span>${label}</span>
    ${field.kind === 'choice' || field.kind === 'template' ? choice(field, value, view) : box(field, value, view)}
  </label>${field.kind === 'event' ? silent(typeof value === 'string' ? value : '', view) : nothing}`
}

function silent(event: string, { choices, words }: FieldView): TemplateResult | typeof nothing {
  const said = silentWords(event, choices.fired, words.t)
  return said === undefined ? nothing : html`<small class="doubt" role="status">${said}</small>`
}

function onText(field: Field, { onValue, onUnread }: FieldView) {
  return ({ target }: Event) => {
    const { value: typed, validity } = target as Box
    const { value, problem } = readText(field, typed)
    const isRead = problem === undefined && !validity.badInput
    onUnread?.(isRead ? undefined : typed)
    if (isRead) onValue(value)
  }
}

function choice(field: Field, value: unknown, view: FieldView): TemplateResult {
  const { words, choices } = view
  const options: (readonly [string, string])[] =
    field.kind === 'template'
      ? choices.templates.map(({ slug, name }) => [slug, name] as const)
      : (field.options ?? []).map((one) => [one, words.t(`option.${one}`)] as const)
  const chosen = typeof value === 'string' ? value : ''
  const isKnown = options.some(([one]) => one === chosen)
  const none = words.t(field.optional === true ? 'field.any' : 'field.choose')
  return html`<select class="field" @change=${onText(field, view)}>
    ${field.optional === true || !isKnown ? html`<option value="" ?selected=${chosen === ''}>${none}</option>` : nothing}
    ${isKnown || chosen === '' ? nothing : html`<option value=${chosen} selected>${chosen}</option>`}
    ${options.map(([one, text]) => html`<option value=${one} ?selected=${one === chosen}>${text}</option>`)}
  </select>`
}

function box(field: Field, value: unknown, view: FieldView): TemplateResult {
  const { kind, optional } = field
  const { unread, words } = view
  const isSame = (typed: string) =>
    unread === undefined
      ? JSON.stringify(readText(field, typed).value) === JSON.stringify(value)
      : typed === unread
  const text = keepTyped(unread ?? textOf(field, value), isSame)
  const onInput = onText(field, view)
  const problem = unread === undefined ? undefined : (readText(field, unread).problem ?? '')
  const isInvalid = problem === undefined ? nothing : 'true'
  const title = problem ? words.t(problem) : nothing
  if (kind === 'json')
    return html`<textarea class="field mono" rows="4" spellcheck="false" aria-invalid=${isInvalid} title=${title} ${text} @input=${onInput}></textarea>`
  const type = kind === 'number' ? 'number' : kind === 'time' ? 'time' : 'text'
  return html`<input
    class="field"
    type=${type}
    autocomplete="off"
    spellcheck="false"
    ?required=${optional !== true}
    list=${kind === 'event' ? 'event-names' : nothing}
    aria-invalid=${isInvalid}
    title=${title}
    ${text}
    @input=${onInput}
  />`
}

/** The names that fields of events suggest; once in the document that has such fields. */
export const eventNames = ({
  events
}: FieldChoices): TemplateResult => html`<datalist id="event-names">
  ${events.map((name) => html`<option value=${name}></option>`)}
</datalist>`
