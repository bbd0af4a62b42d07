// The card of the retention grid: its heading, its file, and what it shows until there is a grid.
import { exportButtons, type Load } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { failedLine } from '../parts.ts'
import {
  cohortCells,
  type RetentionAnswer,
  type RetentionWords,
  retentionGrid
} from './retention.ts'

export interface RetentionCardOptions extends RetentionWords {
  readonly load: Load<readonly unknown[], RetentionAnswer>
  /** The label of the activity that counts; empty when no family can tell. */
  readonly activity: string
  readonly source: 'raw' | 'rollup'
  /** What the activity is chosen with. */
  readonly choice?: TemplateResult
}

function body({ load, activity, ...words }: RetentionCardOptions): TemplateResult {
  if (load.missing !== undefined) return failedLine(load.missing, words.t)
  if (load.value !== undefined) return retentionGrid(load.value, words)
  if (!load.isFirst || activity === '') return html`<p class="dim">${words.t('retention.none')}</p>`
  return html`<div class="bones" aria-busy="true">${[1, 2, 3].map(() => html`<span class="bone"></span>`)}</div>`
}

export function retentionCard(options: RetentionCardOptions): TemplateResult | typeof nothing {
  const { load, activity, heading, source, choice = nothing, t } = options
  const { cohorts, truncated } = load.value ?? { cohorts: [], truncated: false }
  if (load.value !== undefined && cohorts.length === 0) return nothing
  return html`<section class="card panel">
    <header>
      <h2>${heading}</h2>
      <span class="dim"
        >${truncated ? t('retention.truncated') : activity && t('retention.note', { name: activity })}</span
      >
      <span class="row push">
        ${choice} ${exportButtons({ name: 'retention', rows: cohorts, cells: () => cohorts.map(cohortCells) }, t)}
        <span class="dim source" title=${t(`stat.${source}Hint`)}>${t(`stat.${source}`)}</span>
      </span>
    </header>
    ${body(options)}
  </section>`
}
