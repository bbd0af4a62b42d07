// The readiness checklist of a domain as the page shows it.
import { icon, type SaidWords, saidWords } from '@keelson/ui'
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
export const checklist = (
  { items }: Readiness,
  words: SaidWords,
  isDnsOff: boolean
): TemplateResult =>
  html`<ul class="items">${items.map((item) => line(isDnsOff ? withoutHint(item) : item, words))}</ul>`

function withoutHint(item: ReadinessItem): ReadinessItem {
  const { hint: _, ...rest } = item
  return item.state === 'unknown' ? rest : item
}

function line(item: ReadinessItem, words: SaidWords): TemplateResult {
  const { t } = words
  const { id, state, hint, hintSaid, fix } = item
  const isOpen = state === 'failed' || state === 'warn'
  return html`<li class="item">
    <span class=${TONES[state]}>${icon(ICONS[state])}</span>
    <b>${t(`requirement.${id}`)} <span class="visually-hidden">${t(`cockpit.state.${state}`)}</span></b>
    <p>${saidWords(item, words)}</p>
    <span class="who">${requiredBy(item, t)}</span>
    ${hint === undefined || state === 'met' ? nothing : html`<p class="todo">${saidWords({ message: hint, said: hintSaid }, words)}</p>`}
    ${fix === undefined || !isOpen ? nothing : record(fix, t)}
  </li>`
}

function requiredBy({ requiredBy: names }: ReadinessItem, t: Texts): string {
  if (names.length === 0) return t('cockpit.recommended')
  if (names.length === RECEIVERS) return t('cockpit.byAll')
  return names.map((name) => NAMES[name] ?? name).join(', ')
}

/** A record as a zone file has it. Pure. */
export const zoneLine = ({ name, type, value }: Fix): string =>
  `${name}. IN ${type} ${value
    .match(/[\s\S]{1,255}/g)
    ?.map((part) => JSON.stringify(part))
    .join(' ')}`

/** Copies all records that are still to be published, as lines of a zone file; nothing with fewer than two. */
export function copyAll({ items }: Readiness, t: Texts): TemplateResult | typeof nothing {
  const fixes = items.flatMap(({ state, fix }) =>
    fix !== undefined && (state === 'failed' || state === 'warn') ? [fix] : []
  )
  if (fixes.length < 2) return nothing
  const label = t('cockpit.copyRecords', { count: fixes.length })
  return html`<span class="copy-all">${label} <keelson-copy text=${fixes.map(zoneLine).join('\n')} label=${label}></keelson-copy></span>`
}

type Fix = NonNullable<ReadinessItem['fix']>

const record = (fix: Fix, t: Texts): TemplateResult =>
  html`<dl class="fix">
    <div class="all"><dt>${t('cockpit.addRecord')}</dt>
      <dd>${t('cockpit.copyAll')} <keelson-copy text=${zoneLine(fix)} label=${t('cockpit.copyAll')}></keelson-copy></dd></div>
    ${(['type', 'name', 'value'] as const).map(
      (part) => html`<div>
        <dt>${t(`cockpit.${part}`)}</dt>
        <dd>${fix[part]} <keelson-copy text=${fix[part]} label=${t('cockpit.copy', { what: t(`cockpit.${part}`) })}></keelson-copy></dd>
      </div>`
    )}
  </dl>`
