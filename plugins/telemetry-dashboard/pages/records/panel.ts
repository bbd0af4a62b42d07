// What the drawer shows of one record.
import { define, type Format, KeelsonCopy, KeelsonEmpty, registerCatalog } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { figureText } from '../figures.ts'
import { type ValueLinks, valueLink } from '../value-link.ts'
import { kindTag } from './columns.ts'
import { type Fact, type FactSection, frameText, sectionsOf } from './facts.ts'
import texts from './panel-texts.en.json' with { type: 'json' }
import { type RecordRow, titleOf } from './record.ts'

export interface PanelOptions extends ValueLinks {
  readonly format: Format
  /** The address of a subject's journey. */
  journeyHref?(ref: string): string
  /** The address of a trace's waterfall. */
  traceHref(traceId: string): string
}

/** Adds the texts and defines the elements that only the panel needs; cheap to call again. */
export function registerPanel(): void {
  define(KeelsonCopy, KeelsonEmpty)
  registerCatalog('en', texts, {
    de: () => import('./panel-texts.de.json', { with: { type: 'json' } })
  })
}

const recordMissing = (t: PanelOptions['t']): TemplateResult =>
  html`<keelson-empty
    heading=${t('record.missing')}
    text=${t('record.missingText')}
  ></keelson-empty>`

export function recordHead(row: RecordRow, { format, t }: PanelOptions): TemplateResult {
  const { title } = titleOf(row)
  const name = title === row.name ? undefined : row.name
  const facts = [format.dateTime(row.occurredAt, { millis: true }), name, row.service, row.release]
  return html`<div slot="header" class="record-head">
    <div class="row">
      ${kindTag(row.kind)}<span class="dim mono id" title=${row._id}>${row._id}</span>
      <keelson-copy text=${row._id} label=${t('record.copyId')}></keelson-copy>
    </div>
    <h2>${title}</h2>
    <p class="dim">${facts.filter((fact) => fact !== undefined && fact !== 'unknown').join(' · ')}</p>
  </div>`
}

function factValue(fact: Fact, options: PanelOptions): unknown {
  const { text, figure, filter, mono } = fact
  if (figure !== undefined) {
    const written = figureText(figure.key, figure.value, options.format)
    return html`<span title=${text}>${written}</span>`
  }
  if (fact.isTime === true) return options.format.dateTime(text, { millis: true })
  const shown = mono === true ? html`<span class="mono">${text}</span>` : text
  if (filter === undefined) return shown
  if (filter.field === 'traceId') {
    return html`<a href=${options.traceHref(filter.value)} title=${filter.value}>${shown}</a>`
  }
  const link = valueLink(options, filter, shown)
  if (filter.field !== 'subject' || options.journeyHref === undefined) return link
  return html`${link} <a class="aside" href=${options.journeyHref(filter.value)}>${options.t('record.journey')}</a>`
}

function section({ heading, facts }: FactSection, options: PanelOptions): TemplateResult {
  return html`<section>
    <h3>${options.t(heading)}</h3>
    <dl class="facts">
      ${facts.map(
        (fact) =>
          html`<dt title=${fact.isName === true ? fact.label : nothing}>${
            fact.isName === true ? fact.label : options.t(fact.label)
          }</dt><dd>${factValue(fact, options)}</dd>`
      )}
    </dl>
  </section>`
}

function textSection(heading: string, text: string | undefined): TemplateResult | typeof nothing {
  return text === undefined || text === ''
    ? nothing
    : html`<section><h3>${heading}</h3><pre tabindex="0">${text}</pre></section>`
}

/** Everything the record says; the raw form last, closed. `null`: the record was not found. */
export function recordBody(row: RecordRow | null, options: PanelOptions): TemplateResult {
  if (row === null) return recordMissing(options.t)
  const { t } = options
  const frames = row.error?.frames ?? []
  const notes = [
    row.truncated === true ? t('record.clipped') : undefined,
    row.redactedAt === undefined ? undefined : t('record.redacted')
  ].filter((note) => note !== undefined)
  return html`<div class="record">
    ${notes.map((note) => html`<p class="note">${note}</p>`)}
    ${sectionsOf(row).map((facts) => section(facts, options))}
    ${textSection(t('record.stack'), frames.map(frameText).join('\n'))}
    ${textSection(t('record.body'), row.body)}
    <section>
      <details>
        <summary>${t('record.raw')}</summary>
        <pre tabindex="0">${JSON.stringify(row, null, 2)}</pre>
      </details>
    </section>
  </div>`
}
