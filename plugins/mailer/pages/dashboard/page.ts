// The Dashboard page: what was sent, what waits, what is left to set up, what changed.
import {
  chartLoad,
  controls,
  define,
  definePage,
  icon,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonStat,
  Load,
  type Messages,
  registerCatalog,
  Shortcuts
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { registerAuditWords } from '../audit-words.ts'
import { mailApi } from '../mail-api.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import type { DashboardAnswer, SetupAnswer } from './answers.ts'
import {
  broadcastsCard,
  type CardWords,
  changesCard,
  flowsCard,
  pauseNotice,
  queueCard,
  sendsCard,
  setupCard
} from './cards.ts'
import { courseChart } from './course-chart.ts'
import { dashboardStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

/** English is what the server says. */
const said: Messages = {}

import { tiles } from './tiles.ts'

const PERIODS = [1, 7, 30] as const

class DashboardPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, dashboardStyles]
  readonly #api = mailApi(this)
  readonly #dashboard = new Load(this, {
    args: () => [this.#days] as const,
    run: ([days], signal) => this.#api.read<DashboardAnswer>(`/dashboard?days=${days}`, signal)
  })
  protected readonly chart = chartLoad(this)
  readonly #setup = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#api.read<SetupAnswer>('/setup-status', signal)
  })

  constructor() {
    super()
    new Shortcuts(this, () => [
      { keys: 'r', label: this.t('ui.refresh'), run: () => this.#refresh() }
    ])
  }

  protected override get windowTitle(): string {
    return this.t('dashboard.title')
  }

  /** The period of the address. */
  get #days(): number {
    const asked = Number(this.params.get('days'))
    return PERIODS.find((days) => days === asked) ?? 1
  }

  #periods(): TemplateResult {
    const { t } = this
    return html`<nav class="periods" aria-label=${t('dashboard.period')}>
      ${PERIODS.map(
        (days) => html`<a href=${this.address({ days: days === 1 ? null : String(days) })}
          aria-current=${days === this.#days ? 'true' : nothing}>${t(`dashboard.days.${days}`)}</a>`
      )}
    </nav>`
  }

  #refresh(): void {
    void this.#dashboard.reload()
    void this.#setup.reload()
  }

  protected override content(): TemplateResult {
    const { value, missing, isFirst } = this.#dashboard
    const { format, t, linkTo } = this
    const problemOf = (failure: unknown) => (failure === undefined ? '' : this.#api.words(failure))
    const words: CardWords = { format, t, linkTo, now: Date.now(), problem: problemOf(missing) }
    const setupWords = { ...words, problem: problemOf(this.#setup.missing) }
    return html`<keelson-page-header ranged heading=${t('dashboard.title')}>
        ${this.#periods()}
        <button class="btn" @click=${() => this.#refresh()}>${icon('refresh', 14)}${t('ui.refresh')}</button>
      </keelson-page-header>
      <div class="main">
        ${pauseNotice(value, words)}
        <h2 class="visually-hidden">${t('dashboard.figures')}</h2>
        ${tiles({ value, missing, isFirst, format, t, linkTo, days: this.#days })}
        ${courseChart(value, missing, words)}
        <div class="split">
          <div class="stack">
            ${broadcastsCard(value, words)} ${setupCard(this.#setup.value, setupWords)}
            ${changesCard(value, words)}
          </div>
          <div class="stack">
            ${queueCard(value, words)} ${sendsCard(value, words)} ${flowsCard(value, words)}
          </div>
        </div>
      </div>`
  }
}

registerTexts()
registerAuditWords()
registerCatalog('en', said, { de: () => import('./said.de.json', { with: { type: 'json' } }) })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonStat)
definePage('mailer-dashboard', DashboardPage)
