// The board of a program: its actions in order, and how far the subjects of both arms came.
import type { Format } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { ProgramAction } from '../../storage/definition.ts'
import { type Linked, mailHref } from './addresses.ts'
import type { ProgramAnswer, StatsAnswer } from './answers.ts'

/** The languages of a view. */
export interface ProgramWords extends Linked {
  readonly format: Format
  t(key: string, values?: Readonly<Record<string, string | number>>): string
}

const STATUSES = ['satisfied', 'pending', 'exhausted', 'cooldown'] as const
const ARMS = ['treatment', 'holdout'] as const

/** The cards of the actions, the highest priority first. */
export function boardView(
  { definition, names }: ProgramAnswer,
  stats: StatsAnswer | undefined,
  words: ProgramWords
): TemplateResult {
  if (definition === null)
    return html`<div class="card"><keelson-empty heading=${words.t('program.noActions')}></keelson-empty></div>`
  const actions = definition.actions.toSorted((a, b) => b.priority - a.priority)
  return html`<ol class="board">
    ${actions.map((action) => html`<li class="card">${actionCard(action, names?.templates[action.templateSlug], stats, words)}</li>`)}
  </ol>`
}

function actionCard(
  { id, name, templateSlug, requires = [], attempts }: ProgramAction,
  template: string | undefined,
  stats: StatsAnswer | undefined,
  words: ProgramWords
): TemplateResult {
  const { t, format } = words
  return html`<header>
      <h2>${name ?? id}</h2>
      <a class="link" href=${mailHref(words, `template/${encodeURIComponent(templateSlug)}`)}>${template ?? templateSlug}</a>
      <span class="dim">${t('program.attempts', { count: attempts.max })}${requires.length === 0 ? nothing : `, ${t('program.requires', { actions: format.list(requires) })}`}</span>
    </header>
    ${ARMS.map((arm) => armRow(arm, stats?.arms[arm].actions[id], words))}`
}

function armRow(
  arm: (typeof ARMS)[number],
  counts: StatsAnswer['arms'][(typeof ARMS)[number]]['actions'][string] | undefined,
  { t, format }: ProgramWords
): TemplateResult {
  const total = counts === undefined ? 0 : STATUSES.reduce((sum, one) => sum + counts[one], 0)
  const share = (count: number) => `inline-size: ${(100 * count) / Math.max(total, 1)}%`
  return html`<div class="arm-row">
    <b>${t(`program.arm.${arm}`)}</b>
    <div class="meter" aria-hidden="true">
      ${counts === undefined ? nothing : STATUSES.map((one) => html`<i class=${one} .style=${share(counts[one])}></i>`)}
    </div>
    <p class="counts">
      ${
        counts === undefined
          ? '–'
          : STATUSES.filter((one) => one === 'satisfied' || counts[one] > 0).map(
              (one) =>
                html` <span><i class=${one}></i>${format.number(counts[one])} ${t(`program.status.${one}`)}</span>`
            )
      }
    </p>
  </div>`
}
