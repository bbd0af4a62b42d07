// The alerts of the DMARC page: sentences, so lines that wrap rather than cells that are cut.
import { type KeelsonPage, saidWords, timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { Alert } from './answers.ts'

const MOST = 20
const TONES = { critical: 'bad', warning: 'warn', info: 'info' } as const

/** What the card is written with, and what its buttons do. */
export interface AlertsView extends Pick<KeelsonPage, 't' | 'format'> {
  /** Why the alerts could not be loaded, or empty. */
  readonly problem: string
  /** Undefined until the settings are known. */
  readonly onSettings: (() => void) | undefined
  readonly onCheck: () => void
}

/** The newest alerts, open ones first. */
export function alertsCard(alerts: readonly Alert[], view: AlertsView): TemplateResult {
  const { t, problem, onSettings, onCheck } = view
  const shown = alerts
    .toSorted((a, b) => Number(a.state !== 'open') - Number(b.state !== 'open'))
    .slice(0, MOST)
  const empty = html`<keelson-empty heading=${t('dmarc.noAlerts')} text=${t('dmarc.noAlertsText')}></keelson-empty>`
  const lines = html`<ul class="alerts">${shown.map((alert) => line(alert, view))}</ul>`
  return html`<section class="card" aria-label=${t('dmarc.alerts')}>
    <header><h2>${t('dmarc.alerts')}</h2><span class="dim">${t('dmarc.alertsNote')}</span>
      <span class="row push">
        ${onSettings === undefined ? nothing : html`<button class="btn" @click=${onSettings}>${t('dmarc.settingsOpen')}</button>`}
        <button class="btn" @click=${onCheck}>${t('dmarc.evaluate')}</button>
      </span>
    </header>
    ${problem === '' ? (shown.length === 0 ? empty : lines) : html`<p class="reason">${problem}</p>`}
  </section>`
}

function line(alert: Alert, view: AlertsView): TemplateResult {
  const { t, format } = view
  const { state, severity, domain, openedAt } = alert
  const isOpen = state === 'open'
  return html`<li>
    <span class="tag ${isOpen ? TONES[severity] : 'good'}">${t(isOpen ? 'dmarc.open' : 'dmarc.resolved')}</span>
    <p>${saidWords(alert, view)}<br />
      <small class="dim">${domain} · <time datetime=${openedAt} title=${format.dateTime(openedAt)}>${timeText(openedAt, Date.now(), format)}</time></small></p>
  </li>`
}
