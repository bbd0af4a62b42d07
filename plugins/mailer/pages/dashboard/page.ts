// The Dashboard page: what was sent, what waits, what is left to set up, what changed.
import {
  controls,
  define,
  definePage,
  icon,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonStat,
  Load,
  registerCatalog,
  Shortcuts
} from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { mailApi } from '../mail-api.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import type { DashboardAnswer, SetupAnswer } from './answers.ts'
import {
  type CardWords,
  changesCard,
  flowsCard,
  pauseNotice,
  queueCard,
  sendsCard,
  setupCard
} from './cards.ts'
import { dashboardStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }
import { tiles } from './tiles.ts'

class DashboardPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, dashboardStyles]
  readonly #api = mailApi(this)
  readonly #dashboard = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#api.read<DashboardAnswer>('/dashboard', signal)
  })
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
    return html`<keelson-page-header heading=${t('dashboard.title')}>
        <button class="btn" @click=${() => this.#refresh()}>${icon('refresh', 14)}${t('ui.refresh')}</button>
      </keelson-page-header>
      <div class="main">
        ${pauseNotice(value, words)}
        <h2 class="visually-hidden">${t('dashboard.figures')}</h2>
        ${tiles({ value, missing, isFirst, format, t, linkTo })}
        <div class="split">
          <div class="stack">
            ${setupCard(this.#setup.value, setupWords)} ${changesCard(value, words)}
          </div>
          <div class="stack">
            ${queueCard(value, words)} ${sendsCard(value, words)} ${flowsCard(value, words)}
          </div>
        </div>
      </div>`
  }
}

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonStat)
definePage('mailer-dashboard', DashboardPage)
