// What the parts of the form of a broadcast share: what it shows and does, and its kinds of fields.
import { html, nothing, type TemplateResult } from 'lit'
import type { BroadcastDraft } from '../../campaigns/broadcasts/draft-broadcast.ts'
import type { Broadcast, RecipientCount } from '../broadcasts/answers.ts'
import type { NamedSegment } from './segment-builder.ts'
import type { Words } from './words.ts'

/** A template that may be sent. */
export interface TemplateChoice {
  readonly slug: string
  readonly name: string
  readonly kind: string
  readonly subject: string
  readonly preheader: string
}

/** What the form shows and does. */
export interface Compose {
  readonly words: Words
  readonly broadcast: Broadcast
  readonly templates: readonly TemplateChoice[]
  readonly count: {
    readonly value: RecipientCount | undefined
    readonly isPending: boolean
    readonly failure: unknown
  }
  /** Segments with names. */
  readonly named: readonly NamedSegment[]
  /** Why the count failed; empty when it did not. */
  readonly problem: string
  onChange(fields: BroadcastDraft, isHeld?: boolean): void
}

/** Hands over the number of a field as it is typed; what the field refuses is held. */
export const onNumber =
  (change: (value: number, isHeld: boolean) => void) =>
  ({ target }: Event): void => {
    const { value, validity } = target as HTMLInputElement
    if (value !== '') change(Number(value), !validity.valid)
  }

/** A check box. */
export const check = (
  label: string,
  isOn: boolean,
  onChange: (isOn: boolean) => void
): TemplateResult =>
  html`<label class="choice"><input type="checkbox" .checked=${isOn} @change=${(event: Event) => onChange((event.target as HTMLInputElement).checked)} /><span>${label}</span></label>`

/** What a field holds. */
export const valueIn = ({ target }: Event): string => (target as HTMLInputElement).value

/** The options of a choice of templates. */
export const choices = (templates: readonly TemplateChoice[], chosen: string): TemplateResult => {
  const isKnown = templates.some(({ slug }) => slug === chosen)
  return html`${isKnown ? nothing : html`<option value=${chosen} selected>${chosen}</option>`}
    ${templates.map(({ slug, name }) => html`<option value=${slug} ?selected=${slug === chosen}>${name}</option>`)}`
}
