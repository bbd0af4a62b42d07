// What the drawer shows of one rule: what it says, how it stands, what it did.
import { timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { type AlertWords, deliveryText, stateTag, summaryText } from './columns.ts'
import { type ChangeAnswer, type RuleAnswer, recipientsOf } from './rule.ts'
import { conditionText, signalText } from './rule-words.ts'

export interface DetailOptions extends AlertWords {
  /** The address of the form; undefined for who may not change rules. */
  readonly editHref: string | undefined
  /** The address of the page that shows what the rule watches; undefined where none shows just that. */
  questionHref(rule: RuleAnswer): string | undefined
  toggle(rule: RuleAnswer): void
  remove(rule: RuleAnswer): void
}

function facts(rule: RuleAnswer, options: DetailOptions): TemplateResult {
  const { t, format } = options
  const { deliver, problem } = rule
  const tells = [deliver.webhook?.url, ...recipientsOf(deliver.mail)].filter(Boolean)
  const fact = (label: string, value: unknown) =>
    html`<dt>${t(`alert.${label}`)}</dt><dd>${value}</dd>`
  return html`<section>
    <dl class="facts">
      ${fact('factWatches', watchedLink(rule, options))}
      ${fact('factFires', conditionText(rule, options))}
      ${fact('factValue', rule.value === null ? '–' : format.number(rule.value))}
      ${groupsOf(rule, options)}
      ${fact('factSeen', rule.evaluatedAt === null ? '–' : format.dateTime(rule.evaluatedAt))}
      ${fact('factTells', tells.length === 0 ? t('alert.toNobody') : tells.join(', '))}
      ${rule.ownerRef === null ? nothing : fact('factOwner', rule.ownerRef)}
    </dl>
    ${problem === null ? nothing : html`<p class="problem">${problem}</p>`}
  </section>`
}

function watchedLink(rule: RuleAnswer, options: DetailOptions): TemplateResult | string {
  const text = signalText(rule.signal, options)
  const href = options.questionHref(rule)
  return href === undefined ? text : html`<a href=${href}>${text}</a>`
}

/** The values that are firing, or were within the last window. */
function groupsOf(
  { groups = [] }: RuleAnswer,
  options: DetailOptions
): TemplateResult | typeof nothing {
  if (groups.length === 0) return nothing
  const { t, format } = options
  return html`<dt>${t('alert.factGroups')}</dt>
    <dd>
      <ul class="groups">
        ${groups.map(
          ({ group, state, value }) =>
            html`<li>${stateTag(state, options)} ${group} <span class="dim">${value === null ? '–' : format.number(value)}</span></li>`
        )}
      </ul>
    </dd>`
}

function acts(rule: RuleAnswer, options: DetailOptions): TemplateResult | typeof nothing {
  const { t, editHref, toggle, remove } = options
  if (editHref === undefined) return nothing
  return html`<section class="row">
    <a class="btn" href=${editHref}>${t('alert.change')}</a>
    <button class="btn" @click=${() => toggle(rule)}
      >${t(rule.enabled ? 'alert.turnOff' : 'alert.turnOn')}</button
    >
    <button class="btn" @click=${() => remove(rule)}>${t('alert.delete')}</button>
  </section>`
}

function past(changes: readonly ChangeAnswer[], options: DetailOptions): TemplateResult {
  const { t, format, now } = options
  if (changes.length === 0) return html`<p class="dim">${t('alert.noChanges')}</p>`
  return html`<ul>
    ${changes.map(
      (change) => html`<li>
        ${stateTag(change.to, options)}
        <span class="dim" title=${format.dateTime(change.at)}>${timeText(change.at, now, format)}</span>
        <span>${summaryText(change, options)}</span>
        <span class="dim">${deliveryText(change.deliveries, options)}</span>
      </li>`
    )}
  </ul>`
}

export function ruleDetail(
  rule: RuleAnswer | undefined,
  changes: readonly ChangeAnswer[],
  options: DetailOptions
): TemplateResult {
  if (rule === undefined) {
    return html`<keelson-empty heading=${options.t('alert.missing')}></keelson-empty>`
  }
  return html`<div slot="header" class="head">
      ${stateTag(rule.state, options)}
      <h2>${rule.name}</h2>
    </div>
    <div class="rule">
      ${facts(rule, options)} ${acts(rule, options)}
      <section>
        <h3>${options.t('alert.changes')}</h3>
        ${past(
          changes.filter(({ ruleId }) => ruleId === rule.id),
          options
        )}
      </section>
    </div>`
}
