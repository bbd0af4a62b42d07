// The readiness checklist of a domain as the page shows it.
import { icon } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { Readiness, ReadinessItem } from './verdicts.ts'

type Texts = (key: string, values?: Record<string, string | number>) => string

const ICONS = { met: 'check', warn: 'alert', failed: 'close', unknown: 'info' } as const
const TONES = { met: 'good', warn: 'warn', failed: 'bad', unknown: 'none' } as const
const RECEIVERS = 3
const NAMES: Readonly<Record<string, string>> = {
  gmail: 'Gmail',
  yahoo: 'Yahoo',
  outlook: 'Outlook'
}

/**
 * One line for each requirement; those that need work are open, with the record to copy. With DNS checks off,
 * rows that are unknown for it do not ask for a check.
 */
export const checklist = ({ items }: Readiness, t: Texts, isDnsOff: boolean): TemplateResult =>
  html`<ul class="items">${items.map((item) => line(isDnsOff ? withoutHint(item) : item, t))}</ul>`

function withoutHint(item: ReadinessItem): ReadinessItem {
  const { hint: _, ...rest } = item
  return item.state === 'unknown' ? rest : item
}

function line(item: ReadinessItem, t: Texts): TemplateResult {
  const { label, state, message, hint, fix } = item
  const isOpen = state === 'failed' || state === 'warn'
  return html`<li class="item">
    <span class=${TONES[state]}>${icon(ICONS[state])}</span>
    <b>${label} <span class="visually-hidden">${t(`cockpit.state.${state}`)}</span></b>
    <p>${message}</p>
    <span class="who">${requiredBy(item, t)}</span>
    ${hint === undefined || state === 'met' ? nothing : html`<p class="todo">${hint}</p>`}
    ${fix === undefined || !isOpen ? nothing : record(fix, t)}
  </li>`
}

function requiredBy({ requiredBy: names }: ReadinessItem, t: Texts): string {
  if (names.length === 0) return t('cockpit.recommended')
  if (names.length === RECEIVERS) return t('cockpit.byAll')
  return names.map((name) => NAMES[name] ?? name).join(', ')
}

const record = (fix: NonNullable<ReadinessItem['fix']>, t: Texts): TemplateResult =>
  html`<dl class="fix">
    ${(['type', 'name', 'value'] as const).map(
      (part) => html`<div>
        <dt>${t(`cockpit.${part}`)}</dt><dd>${fix[part]}</dd>
        <keelson-copy text=${fix[part]} label=${t('cockpit.copy', { what: t(`cockpit.${part}`) })}></keelson-copy>
      </div>`
    )}
  </dl>`
