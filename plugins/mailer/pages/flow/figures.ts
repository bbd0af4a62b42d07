// How many runs a flow has had and how they ended, in figures; and what the bars on its cards show.
import type { Format } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'

const STATUSES = ['active', 'completed', 'exited', 'failed'] as const
type Totals = Readonly<Record<(typeof STATUSES)[number], number>>
type Translate = (key: string) => string

/** Runs of all statuses. */
export const runsOf = (totals: Totals): number =>
  STATUSES.reduce((sum, name) => sum + totals[name], 0)

/** The figures; dashes until the runs are counted. */
export function figures(
  totals: Totals | undefined,
  { t, format }: { readonly t: Translate; readonly format: Format }
): TemplateResult {
  const entered = totals && runsOf(totals)
  const figure = (key: string, count: number | undefined, of = 0) => html`<div><dt>${t(key)}</dt>
    <dd>${count === undefined ? '–' : format.number(count)} <small>${count && of > 0 ? format.percent(count / of) : ''}</small></dd></div>`
  return html`<dl class="figures" aria-label=${t('flow.figures')}>
    ${figure('flow.entered', entered)}
    ${STATUSES.map((name) => figure(`run.${name}`, totals?.[name], name === 'active' ? 0 : entered))}
  </dl>`
}

/** Of the bars on the cards. */
export const legend = (t: Translate): TemplateResult => html`<ul class="legend row push hide">
  ${['on', 'wait', 'left'].map((share) => html`<li class=${share}>${t(`flow.share.${share}`)}</li>`)}
</ul>`
