// The chart of the Dashboard page: mails sent, opened by people and bounced over the period.
import { html, type TemplateResult } from 'lit'
import type { DashboardAnswer } from './answers.ts'
import type { CardWords } from './cards.ts'

/** By the hour for one day, by the day for more. */
export function courseChart(
  value: DashboardAnswer | undefined,
  missing: unknown,
  { t, format }: CardWords
): TemplateResult {
  const {
    times = [],
    intervalMs = null,
    sends = [],
    opens = [],
    bounced = []
  } = value?.series.course ?? {}
  const sum = (counts: readonly number[]) =>
    format.number(counts.reduce((all, one) => all + one, 0))
  return html`<keelson-chart
    kind="bars"
    height="150"
    heading=${t('dashboard.course')}
    caption=${value === undefined ? '' : t('dashboard.courseCaption', { sent: sum(sends), opened: sum(opens), bounced: sum(bounced) })}
    ?loading=${value === undefined && missing === undefined}
    .error=${missing}
    .times=${times.map((at) => Date.parse(at))}
    .interval=${intervalMs}
    .series=${[
      { id: 'sends', label: t('dashboard.sends'), values: sends },
      { id: 'opens', label: t('dashboard.opened'), values: opens },
      { id: 'bounced', label: t('dashboard.bouncedSeries'), values: bounced, tone: 'bad' }
    ]}
  ></keelson-chart>`
}
