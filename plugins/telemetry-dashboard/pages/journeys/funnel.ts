// The funnel as it is shown: its stages as bars, its weeks as lines of a table, the links to its people.
import type { FunnelResult, FunnelStage } from '@keelson/telemetry'
import { type AsJson, type Format, shareBar, type TableColumn } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'

/** The answer of `/api/funnel` as far as it is shown. */
export type FunnelAnswer = Omit<AsJson<FunnelResult>, 'cohort' | 'dataSource'>

export type Outcome = 'reached' | 'missed'

export interface FunnelWords {
  readonly format: Format
  t(key: string, values?: Record<string, string | number>): string
  /** The name of a family. */
  label(as: string): string
  /** The address that lists the people behind a number; of one slice when `at` is given. */
  peopleHref(stage: string, outcome: Outcome, at?: string): string
}

export const percent = (value: number | null, { format }: FunnelWords): string =>
  value === null ? '–' : format.percent(value / 100, value < 10 ? 1 : 0)

const days = (value: number | null, { format }: FunnelWords): string =>
  value === null ? '–' : format.duration(value * 86_400_000)

interface Neighbours {
  readonly stage: FunnelStage
  readonly before: FunnelStage | undefined
  readonly next: FunnelStage | undefined
}

/** Of the people who were in the stage before, the percentage that came here; null without any. */
export function cameThrough(
  stage: Pick<FunnelStage, 'notReached'>,
  before: Pick<FunnelStage, 'subjects'> | undefined
): number | null {
  if (before === undefined || before.subjects === 0) return null
  return ((before.subjects - stage.notReached) / before.subjects) * 100
}

/** A stage, and under its bar those who went no further. */
function stageLine(
  { stage, before: previous, next }: Neighbours,
  words: FunnelWords
): TemplateResult {
  const { t, format, label, peopleHref } = words
  const { as, subjects, pctOfFirst, medianDaysFromPrevious } = stage
  const ofPrevious = cameThrough(stage, previous)
  const before =
    ofPrevious === null
      ? nothing
      : html`<span>${t('funnel.ofPrevious', { value: percent(ofPrevious, words) })}</span>
        <span>${t('funnel.after', { value: days(medianDaysFromPrevious, words) })}</span>`
  const stopped =
    next === undefined || next.notReached === 0
      ? nothing
      : html`<a
          class="stopped"
          href=${peopleHref(next.as, 'missed')}
          title=${t('funnel.missed', { name: label(next.as) })}
          >${t('funnel.stopped', { count: next.notReached })}</a
        >`
  return html`<li>
    <span class="stage">${label(as)}</span>
    <a class="figure" href=${peopleHref(as, 'reached')} title=${t('funnel.people', { name: label(as) })}
      >${format.number(subjects)}</a
    >
    <span class="bar">${shareBar((pctOfFirst ?? 0) / 100)}</span>
    <span class="num">${percent(pctOfFirst, words)}</span>
    <span class="notes dim">${before}${stopped}</span>
  </li>`
}

export function funnelBars(answer: FunnelAnswer, words: FunnelWords): TemplateResult {
  const { t, format, label, peopleHref } = words
  return html`<ol class="funnel">
      ${answer.stages.map((stage, at) =>
        stageLine({ stage, before: answer.stages[at - 1], next: answer.stages[at + 1] }, words)
      )}
    </ol>
    ${
      answer.exits.length === 0
        ? nothing
        : html`<p class="exits dim">
          ${t('funnel.beside')}
          ${answer.exits.map(
            ({ as, subjects }) =>
              html`<a class="link" href=${peopleHref(as, 'reached')}
                >${t('funnel.exit', { name: label(as), count: format.number(subjects) })}</a
              >`
          )}
        </p>`
    }`
}

/** The stage after which the largest share of its people went no further; undefined when all went on. */
export function biggestDrop(
  stages: readonly FunnelStage[]
): { readonly after: FunnelStage; readonly before: FunnelStage } | undefined {
  const drops = stages.slice(1).map((before, at) => ({ after: stages[at] as FunnelStage, before }))
  const lost = (drop: (typeof drops)[number]) =>
    drop.before.notReached / Math.max(1, drop.after.subjects)
  const [most] = drops.sort((a, b) => lost(b) - lost(a))
  return most === undefined || most.before.notReached === 0 ? undefined : most
}

export type Slice = NonNullable<FunnelAnswer['slices']>[number]

/** One line a week: the size of the cohort, and how many of it reached each stage. */
export function sliceColumns(answer: FunnelAnswer, words: FunnelWords): TableColumn<Slice>[] {
  const { t, format, label, peopleHref } = words
  const stages = answer.stages.slice(1)
  return [
    {
      id: 'at',
      header: t('funnel.week'),
      least: 124,
      cell: ({ at }) => format.date(at)
    },
    {
      id: 'subjects',
      header: label(answer.stages[0]?.as ?? ''),
      align: 'end',
      least: 96,
      cell: ({ subjects }) => format.number(subjects)
    },
    ...stages.map(
      ({ as }): TableColumn<Slice> => ({
        id: as,
        header: label(as),
        align: 'end',
        least: 124,
        cell: ({ at, stages: reached }) => {
          const stage = reached.find((one) => one.as === as)
          if (stage === undefined) return '–'
          const stopped =
            stage.notReached === 0
              ? nothing
              : html` <a part="stopped" href=${peopleHref(as, 'missed', at)} title=${t('funnel.missed', { name: label(as) })}
                  >−${format.number(stage.notReached)}</a
                >`
          return html`<a part="value" href=${peopleHref(as, 'reached', at)} title=${t('funnel.people', { name: label(as) })}
            >${format.number(stage.subjects)}</a
          > <span class="dim">${percent(stage.pctOfFirst, words)}</span>${stopped}`
        }
      })
    )
  ]
}

/** A week as a line of a file. */
export const sliceCells = ({ at, subjects, stages }: Slice): Record<string, unknown> => ({
  week: at.slice(0, 10),
  subjects,
  ...Object.fromEntries(stages.map((stage) => [stage.as, stage.subjects]))
})
