// The retention grid: a line a cohort, a column a period after its first.
import type { RetentionResult } from '@keelson/telemetry'
import { type AsJson, createFormat, type Format } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'

/** The answer of `/api/retention`. */
export type RetentionAnswer = Omit<AsJson<RetentionResult>, 'dataSource'>

export interface RetentionWords {
  readonly format: Format
  /** What the grid is called. */
  readonly heading: string
  t(key: string, values?: Record<string, string | number>): string
}

/** Columns of the grid. */
const MOST_PERIODS = 13

/** Shades from 0 (none) to 10 (all). */
export const shadeOf = (active: number, subjects: number): number =>
  subjects === 0 || active === 0 ? 0 : Math.max(1, Math.round((active / subjects) * 10))

/** What all cohorts together kept in each period: only those count that have come that far. */
export function totals({ cohorts }: RetentionAnswer): { active: number; subjects: number }[] {
  const longest = Math.max(0, ...cohorts.map(({ active }) => active.length))
  return Array.from({ length: Math.min(longest, MOST_PERIODS) }, (_, at) => {
    const there = cohorts.filter(({ active }) => active.length > at)
    return {
      active: there.reduce((sum, { active }) => sum + (active[at] ?? 0), 0),
      subjects: there.reduce((sum, { subjects }) => sum + subjects, 0)
    }
  })
}

function cell(
  active: number | undefined,
  subjects: number,
  { format, t }: RetentionWords
): TemplateResult {
  if (active === undefined) return html`<td></td>`
  const share = subjects === 0 ? 0 : active / subjects
  return html`<td
    class="shade-${shadeOf(active, subjects)}"
    title=${t('retention.cell', { active, subjects })}
  >${format.percent(share, 0)}</td>`
}

export function retentionGrid(answer: RetentionAnswer, words: RetentionWords): TemplateResult {
  const { format, t } = words
  // Activity is counted by days of UTC, and so are its weeks.
  const inUtc = createFormat(format.locale)
  const sums = totals(answer)
  const cells = (active: readonly number[], subjects: (at: number) => number) =>
    sums.map((_, at) => cell(active[at], subjects(at), words))
  const all = answer.cohorts.reduce((sum, { subjects }) => sum + subjects, 0)
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.heading}>
    <table class="retention">
      <thead>
        <tr>
          <th scope="col">${t('retention.cohort')}</th>
          <th scope="col" class="num">${t('retention.size')}</th>
          ${sums.map((_, at) => html`<th scope="col">${at === 0 ? t('retention.same') : format.number(at)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${[...answer.cohorts].reverse().map(
          ({ at, subjects, active }) => html`<tr>
            <th scope="row">${inUtc.date(at)}</th>
            <td class="num">${format.number(subjects)}</td>
            ${cells(active, () => subjects)}
          </tr>`
        )}
      </tbody>
      ${
        answer.cohorts.length < 2
          ? nothing
          : html`<tfoot>
            <tr>
              <th scope="row">${t('retention.all')}</th>
              <td class="num">${format.number(all)}</td>
              ${cells(
                sums.map(({ active }) => active),
                (at) => sums[at]?.subjects ?? 0
              )}
            </tr>
          </tfoot>`
      }
    </table>
  </div>`
}

/** A cohort as a line of a file. */
export const cohortCells = (
  cohort: RetentionAnswer['cohorts'][number]
): Record<string, unknown> => ({
  cohort: cohort.at.slice(0, 10),
  subjects: cohort.subjects,
  ...Object.fromEntries(cohort.active.map((active, at) => [`period ${at}`, active]))
})
