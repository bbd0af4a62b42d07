// Composing a broadcast: its template, its audience with a live count, its pace, stop rules, an A/B test.
import { formField } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { oneHref } from '../addresses.ts'
import { type Compose, check, choices, onNumber, valueIn } from './compose-fields.ts'
import { deliveryFields } from './delivery-card.ts'
import { filtersOf, isComplete } from './segment.ts'
import { segmentBuilder } from './segment-builder.ts'
import { isSubjectTest, movedTo } from './split-choice.ts'
import { splitTestFields } from './split-test-form.ts'

const card = (heading: string, body: unknown, note: unknown = nothing): TemplateResult =>
  html`<section class="card" aria-label=${heading}><header><h2>${heading}</h2>${note}</header>${body}</section>`

/** The form. */
export function composeView(view: Compose): TemplateResult {
  return html`<div class="split">
    <div class="stack">${audience(view)} ${content(view)}</div>
    <div class="stack">${delivery(view)} ${stopRules(view)} ${card(view.words.t('broadcast.split'), splitTestFields(view))}</div>
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

function content({ words, broadcast, templates, onChange }: Compose): TemplateResult {
  const { t } = words
  const { name, templateSlug, subject, preheader, splitTest } = broadcast
  const value = valueIn
  const template = templates.find(({ slug }) => slug === templateSlug)
  const own = (key: 'subject' | 'preheader', event: Event) =>
    onChange({ [key]: value(event) === '' ? null : value(event) })
  const turnTo = (slug: string) =>
    onChange({
      templateSlug: slug,
      ...(splitTest != null && { splitTest: movedTo(splitTest, templateSlug, slug) })
    })
  const body = html`<div class="form pad">
    ${formField(t('mail.name'), html`<input class="field" .value=${name} maxlength="200" @input=${(event: Event) => value(event) !== '' && onChange({ name: value(event) })} />`)}
    ${formField(t('broadcast.template'), html`<select class="field" @change=${(event: Event) => turnTo(value(event))}>${choices(templates, templateSlug)}</select>`)}
    ${
      isSubjectTest(splitTest)
        ? nothing
        : html`${formField(t('broadcast.subject'), html`<input class="field" maxlength="998" .value=${subject ?? ''} placeholder=${template?.subject ?? ''} @input=${(event: Event) => own('subject', event)} />`, t('broadcast.subjectHint'))}
        ${formField(t('broadcast.preheader'), html`<input class="field" maxlength="998" .value=${preheader ?? ''} placeholder=${template?.preheader ?? ''} @input=${(event: Event) => own('preheader', event)} />`)}`
    }
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
