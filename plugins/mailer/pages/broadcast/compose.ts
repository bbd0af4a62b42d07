// Composing a broadcast: its template, its audience with a live count, its pace, stop rules, an A/B test.
import { formField } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { BroadcastDraft } from '../../campaigns/broadcasts/draft-broadcast.ts'
import { oneHref } from '../addresses.ts'
import { type Compose, check, onNumber, type TemplateChoice } from './compose-fields.ts'
import { deliveryFields } from './delivery-card.ts'
import { filtersOf, isComplete } from './segment.ts'
import { segmentBuilder } from './segment-builder.ts'

const card = (heading: string, body: unknown, note: unknown = nothing): TemplateResult =>
  html`<section class="card" aria-label=${heading}><header><h2>${heading}</h2>${note}</header>${body}</section>`

/** The form. */
export function composeView(view: Compose): TemplateResult {
  return html`<div class="split">
    <div class="stack">${audience(view)} ${content(view)}</div>
    <div class="stack">${delivery(view)} ${stopRules(view)} ${splitTest(view)}</div>
  </div>`
}

function audience(view: Compose): TemplateResult {
  const {
    words: { t, address },
    broadcast,
    onChange
  } = view
  const filters = filtersOf(broadcast.segmentDefinition)
  const dialogLink = (show: 'who' | 'saveSegment') =>
    html`<a class="link" role="button" href=${address({ show })}>${t(`broadcast.${show}`)}</a>`
  const body = html`${segmentBuilder({
    t,
    filters,
    named: view.named,
    onFilters: (next) => onChange({ segmentDefinition: { filters: next } }, !isComplete(next))
  })}
    <footer><div class="counted" role="status">${countLine(view, isComplete(filters))}</div>
      ${isComplete(filters) ? html`<div class="row">${dialogLink('who')} ${filters.length === 0 ? nothing : dialogLink('saveSegment')}</div>` : nothing}</footer>`
  return card(
    t('broadcast.audience'),
    body,
    html`<span class="quiet">${t('broadcast.audienceNote')}</span>`
  )
}

function countLine(
  { words: { t, format }, count, problem }: Compose,
  isFilled: boolean
): TemplateResult {
  if (!isFilled) return html`<span class="quiet">${t('broadcast.incomplete')}</span>`
  if (problem !== '') return html`<span class="problem">${problem}</span>`
  if (count.value === undefined) return html`<span class="quiet">${t('broadcast.counting')}</span>`
  const { recipientCount, uncappedRecipientCount: all } = count.value
  return html`<b class="big">${t('broadcast.count', { count: recipientCount })}</b>
    <span class="quiet">${recipientCount < all ? t('broadcast.countCapped', { all: format.number(all) }) : t('broadcast.countNote')}</span>`
}

const choices = (templates: readonly TemplateChoice[], chosen: string): TemplateResult => {
  const isKnown = templates.some(({ slug }) => slug === chosen)
  return html`${isKnown ? nothing : html`<option value=${chosen} selected>${chosen}</option>`}
    ${templates.map(({ slug, name }) => html`<option value=${slug} ?selected=${slug === chosen}>${name}</option>`)}`
}

function content({ words, broadcast, templates, onChange }: Compose): TemplateResult {
  const { t } = words
  const { name, templateSlug } = broadcast
  const value = (event: Event) => (event.target as HTMLInputElement).value
  const body = html`<div class="form pad">
    ${formField(t('mail.name'), html`<input class="field" .value=${name} maxlength="200" @input=${(event: Event) => value(event) !== '' && onChange({ name: value(event) })} />`)}
    ${formField(t('broadcast.template'), html`<select class="field" @change=${(event: Event) => onChange({ templateSlug: value(event) })}>${choices(templates, templateSlug)}</select>`)}
    <a class="link" href=${oneHref(words, 'template', templateSlug)}>${t('broadcast.openTemplate')}</a>
  </div>`
  return card(t('broadcast.content'), body)
}

function delivery(view: Compose): TemplateResult {
  const {
    words: { t },
    broadcast,
    onChange
  } = view
  const body = html`<div class="form pad">
    ${deliveryFields(view)}
    ${check(t('broadcast.timezone'), broadcast.respectRecipientTimezone, (isOn) => onChange({ respectRecipientTimezone: isOn }))}
  </div>`
  return card(t('broadcast.delivery'), body)
}

const RULES = ['hardBounceRatePct', 'complaintRatePct', 'unsubscribeRatePct', 'minSample'] as const

function stopRules({ words: { t }, broadcast, onChange }: Compose): TemplateResult {
  const { stopRules: rules } = broadcast
  const change = (fields: Partial<typeof rules>, isHeld = false) =>
    onChange({ stopRules: { ...rules, ...fields } }, isHeld)
  const body = html`<div class="form pad">
    ${check(t('broadcast.stopOn'), rules.enabled, (enabled) => change({ enabled }))}
    ${rules.enabled ? html`<div class="pairs">${RULES.map((name) => formField(t(`broadcast.${name}`), html`<input class="field" type="number" min=${name === 'minSample' ? 1 : 0} max=${name === 'minSample' ? nothing : 100} step=${name === 'minSample' ? 1 : 'any'} .value=${String(rules[name])} @input=${onNumber((value, isHeld) => change({ [name]: value }, isHeld))} />`))}</div>` : nothing}
  </div>`
  return card(t('broadcast.stop'), body)
}

function splitTest({ words: { t }, broadcast, templates, onChange }: Compose): TemplateResult {
  const { splitTest: split, templateSlug } = broadcast
  const other = templates.find(({ slug }) => slug !== templateSlug)?.slug
  const variants = (b: string) => [
    { name: 'A', templateSlug },
    { name: 'B', templateSlug: b }
  ]
  const turn = (isOn: boolean) =>
    onChange({
      splitTest:
        isOn && other !== undefined
          ? {
              variants: variants(other),
              testPercent: 20,
              winner: 'human_clicks',
              decideAfterHours: 4
            }
          : null
    })
  const body = html`<div class="form pad">
    ${check(t('broadcast.splitOn'), split != null, turn)}
    ${split == null ? nothing : splitFields()}
  </div>`
  return card(t('broadcast.split'), body)

  function splitFields(): TemplateResult {
    const now = split as NonNullable<typeof split>
    const change = (fields: object, isHeld = false) =>
      onChange({ splitTest: { ...now, ...fields } } as BroadcastDraft, isHeld)
    const b = now.variants[1]?.templateSlug ?? ''
    const value = (event: Event) => (event.target as HTMLSelectElement).value
    return html`${formField(t('broadcast.variantB'), html`<select class="field" @change=${(event: Event) => change({ variants: variants(value(event)) })}>${choices(templates, b)}</select>`)}
      <div class="pairs">
        ${formField(t('broadcast.testPercent'), html`<input class="field" type="number" min="1" max="100" .value=${String(now.testPercent)} @input=${onNumber((testPercent, isHeld) => change({ testPercent }, isHeld))} />`)}
        ${formField(t('broadcast.decideAfterHours'), html`<input class="field" type="number" min="0" max="720" .value=${String(now.decideAfterHours)} @input=${onNumber((decideAfterHours, isHeld) => change({ decideAfterHours }, isHeld))} />`)}
        ${formField(t('broadcast.winner'), html`<select class="field" @change=${(event: Event) => change({ winner: value(event) })}>${(['human_clicks', 'human_opens'] as const).map((one) => html`<option value=${one} ?selected=${one === now.winner}>${t(`broadcast.winner.${one}`)}</option>`)}</select>`)}
      </div>`
  }
}
