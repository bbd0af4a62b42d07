// The tabs of the Flow page beside its canvas: runs, and versions.
import {
  choiceField,
  define,
  type KeelsonPage,
  KeelsonTable,
  registerCatalog,
  type Selection,
  tableView
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { mailHref } from '../addresses.ts'
import { registerExitWords } from '../exit-words.ts'
import { notEnteredWords, registerLeftOutWords } from '../left-out/words.ts'
import { type CountsAnswer, editedOf, type FlowAnswer, type RunAnswer } from './answers.ts'
import { contentLines } from './content-lines.ts'
import { registerEditTexts } from './edit-texts.ts'
import type { FlowActs } from './flow-acts.ts'
import type { FlowLoads } from './loads.ts'
import { type RunWords, runColumns, runPanel, stepName } from './runs-view.ts'
import texts from './tab-texts.en.json' with { type: 'json' }
import { versionsView } from './versions-view.ts'

/** What a tab shows. */
export interface FlowTab {
  readonly page: KeelsonPage
  readonly flow: FlowAnswer
  readonly loads: FlowLoads
  readonly acts: FlowActs
  /** Of the draft, or of the live version without one. */
  readonly steps: readonly FlowStep[]
  readonly hasDraft: boolean
  /** The version that is compared with the one before; 0 for the draft. */
  readonly shown: number
}

const STATUSES = ['', 'active', 'completed', 'exited', 'failed']

/** Adds the texts of all tabs: before they are shown, so that their translation is waited for. */
export function registerTexts(): void {
  registerCatalog('en', texts, {
    de: () => import('./tab-texts.de.json', { with: { type: 'json' } })
  })
  registerExitWords()
  registerLeftOutWords()
  registerEditTexts()
}

/** The runs, by status and step. */
export function runsTab(tab: FlowTab, selection: Selection<RunAnswer>): TemplateResult {
  define(KeelsonTable)
  const { page, flow, loads } = tab
  const { runs } = loads
  const { t } = page
  const words: RunWords = {
    ...loads.words(),
    steps: flow.steps,
    version: flow.version,
    contactHref: (id) => mailHref(page, `contact/${encodeURIComponent(id)}`)
  }
  const open = runs.rows.find(({ _id }) => _id === selection.id)
  const refused = loads.counts.value?.notEntered ?? []
  return html`${refused.length === 0 ? nothing : notEnteredNote(refused, words)} ${tableView({
    heading: t('flow.tab.runs'),
    columns: runColumns(words),
    rows: runs.rows,
    idOf: ({ _id }) => _id,
    read: runs,
    selection,
    actions: runFilter(page, words),
    empty: { heading: t('run.none'), text: t('run.noneText') },
    panel: {
      label: t('run.label'),
      isOpen: selection.id !== null && runs.value !== undefined,
      content: runDetail(tab, open, words)
    }
  })}`
}

/** Whom the last scan of the trigger did not take. */
function notEnteredNote(refused: CountsAnswer['notEntered'], { t }: RunWords): TemplateResult {
  const count = refused.reduce((sum, one) => sum + one.count, 0)
  return html`<p class="quiet" role="status">${t('run.notEntered', { count, reasons: notEnteredWords(refused, t) })}</p>`
}

function runDetail(
  { page, acts }: FlowTab,
  open: RunAnswer | undefined,
  words: RunWords
): TemplateResult {
  if (open === undefined)
    return html`<keelson-empty heading=${page.t('run.missing')}></keelson-empty>`
  return runPanel(open, words, {
    onStop: () => void acts.stopRun(open),
    onSkip: () => void acts.skipStep(open)
  })
}

function runFilter(page: KeelsonPage, words: RunWords): TemplateResult {
  const { t, params } = page
  const at = params.get('at')
  const field = choiceField(page, 'status', {
    label: t('run.status'),
    closes: { run: null },
    choices: STATUSES.map((one) => [one, t(one === '' ? 'run.all' : `run.${one}`)])
  })
  return html`<span slot="actions" class="row">
    ${at === null ? nothing : html`<a class="btn on" href=${page.address({ at: null, run: null })}>${t('run.atStep', { step: stepName(at, words) })} ×</a>`}
    ${field}
  </span>`
}

/** The versions: each is compared with the one before, the draft with the live one. */
export function versionsTab(tab: FlowTab): TemplateResult {
  const { page, flow, loads, acts, steps, shown, hasDraft } = tab
  const { t } = page
  const words = loads.words()
  const { value, failure } = loads.versions
  if (value === undefined)
    return html`<div class="card part" aria-busy="true">${failure === undefined ? t('ui.loading') : t('flow.versionsFailed')}</div>`
  const published = flow.version === 0 ? undefined : flow
  const compared = shown === 0 ? { before: published, after: { ...editedOf(flow), steps } } : value
  const isRead = shown === 0 || value.shown === shown
  return versionsView({
    words,
    versions: value.versions,
    shown,
    live: flow.version,
    hasDraft,
    lines: isRead ? contentLines(compared.before, compared.after, words) : undefined,
    href: (version) => page.address({ version: String(version) }),
    onRollback: (version) => void acts.rollback(version)
  })
}
