// The A/B test of a draft: subjects of its template, or a second template, and how the winner is found.
import { formField } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { BroadcastDraft } from '../../campaigns/broadcasts/draft-broadcast.ts'
import { type Compose, choices, onNumber, valueIn } from './compose-fields.ts'
import {
  ARM_NAMES,
  isDistinct,
  isSubjectTest,
  MOST_SUBJECTS,
  newSubjects,
  type OwnTexts,
  type SplitTest,
  type Variant,
  withArm,
  withoutArm,
  withText
} from './split-choice.ts'

const KINDS = ['none', 'subjects', 'templates'] as const
type Kind = (typeof KINDS)[number]

const START = { testPercent: 20, winner: 'human_clicks', decideAfterHours: 4 } as const

/** The fields of the card. */
export function splitTestFields(view: Compose): TemplateResult {
  const { words, broadcast, templates, onChange } = view
  const { t } = words
  const { splitTest, templateSlug } = broadcast
  const own = ownTexts(view)
  const other = templates.find(({ slug }) => slug !== templateSlug)?.slug
  const kind: Kind =
    splitTest == null ? 'none' : isSubjectTest(splitTest) ? 'subjects' : 'templates'
  const turn = (to: Kind) => {
    if (to === 'none') return onChange({ splitTest: null })
    if (to === 'subjects') {
      const variants = newSubjects(templateSlug, own)
      return onChange({ splitTest: { ...START, winner: 'human_opens', variants } }, true)
    }
    onChange({ splitTest: { ...START, variants: twoTemplates(templateSlug, other ?? '') } })
  }
  const isOffered = (one: Kind) => one !== 'templates' || other !== undefined
  const options = KINDS.filter(isOffered).map(
    (one) =>
      html`<option value=${one} ?selected=${one === kind}>${t(`broadcast.split.${one}`)}</option>`
  )
  return html`<div class="form pad">
    ${formField(t('broadcast.splitOf'), html`<select class="field" @change=${(event: Event) => turn(valueIn(event) as Kind)}>${options}</select>`)}
    ${splitTest == null ? nothing : html`${kind === 'subjects' ? subjects(splitTest, view) : secondTemplate(splitTest, view)} ${decision(splitTest, view)}`}
  </div>`
}

/** What recipients read without a test: the broadcast's own texts, else those of its template. */
function ownTexts({ broadcast, templates }: Compose): OwnTexts {
  const template = templates.find(({ slug }) => slug === broadcast.templateSlug)
  return {
    subject: broadcast.subject ?? template?.subject ?? '',
    preheader: broadcast.preheader ?? template?.preheader ?? ''
  }
}

const twoTemplates = (a: string, b: string): Variant[] => [
  { name: 'A', templateSlug: a },
  { name: 'B', templateSlug: b }
]

function secondTemplate(split: SplitTest, { words, broadcast, templates, onChange }: Compose) {
  const b = split.variants[1]?.templateSlug ?? ''
  const change = (event: Event) =>
    onChange({
      splitTest: { ...split, variants: twoTemplates(broadcast.templateSlug, valueIn(event)) }
    })
  return formField(
    words.t('broadcast.variantB'),
    html`<select class="field" @change=${change}>${choices(templates, b)}</select>`
  )
}

/** One block of fields for each arm. Equal arms are held until they differ. */
function subjects(split: SplitTest, view: Compose): TemplateResult {
  const { words, broadcast, onChange } = view
  const { t } = words
  const { variants } = split
  const own = ownTexts(view)
  const change = (next: Variant[]) =>
    onChange({ splitTest: { ...split, variants: next } }, !isDistinct(next, own))
  const field = (at: number, key: 'subject' | 'preheader') => {
    const onInput = (event: Event) => change(withText(variants, at, key, valueIn(event)))
    return formField(
      t(`broadcast.${key}`),
      html`<input class="field" maxlength="998" .value=${variants[at]?.[key] ?? ''} placeholder=${own[key]} @input=${onInput} />`
    )
  }
  const arm = ({ name }: Variant, at: number) => html`<fieldset class="group">
      <legend>${t('broadcast.armNamed', { name })}</legend>
      ${field(at, 'subject')} ${field(at, 'preheader')}
      ${variants.length > 2 ? html`<div class="row"><button type="button" class="btn quiet" @click=${() => change(withoutArm(variants, at))}>${t('broadcast.removeArm', { name })}</button></div>` : nothing}
    </fieldset>`
  return html`${variants.map(arm)}
    ${variants.length < MOST_SUBJECTS ? html`<div class="row"><button type="button" class="btn" @click=${() => change(withArm(variants, broadcast.templateSlug))}>${t('broadcast.addArm', { name: ARM_NAMES[variants.length] ?? '' })}</button></div>` : nothing}
    ${isDistinct(variants, own) ? nothing : html`<p class="problem" role="status">${t('broadcast.subjectsEqual')}</p>`}`
}

/** Who takes part, when the winner is chosen, and by what. */
function decision(split: SplitTest, { words: { t }, onChange, broadcast, templates }: Compose) {
  const own = ownTexts({ broadcast, templates } as Compose)
  const isHeldBack = !isDistinct(split.variants, own)
  const change = (fields: object, isHeld = false) =>
    onChange({ splitTest: { ...split, ...fields } } as BroadcastDraft, isHeld || isHeldBack)
  const winners = (['human_clicks', 'human_opens'] as const).map(
    (one) =>
      html`<option value=${one} ?selected=${one === split.winner}>${t(`broadcast.winner.${one}`)}</option>`
  )
  return html`<div class="pairs">
    ${formField(t('broadcast.testPercent'), html`<input class="field" type="number" min="1" max="100" .value=${String(split.testPercent)} @input=${onNumber((testPercent, isHeld) => change({ testPercent }, isHeld))} />`)}
    ${formField(t('broadcast.decideAfterHours'), html`<input class="field" type="number" min="0" max="720" .value=${String(split.decideAfterHours)} @input=${onNumber((decideAfterHours, isHeld) => change({ decideAfterHours }, isHeld))} />`)}
    ${formField(t('broadcast.winner'), html`<select class="field" @change=${(event: Event) => change({ winner: valueIn(event) })}>${winners}</select>`)}
  </div>`
}
