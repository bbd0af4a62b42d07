// The funnel in groups of a value that people had at its first stage: which source converts best.
import type { FunnelGroup } from '@keelson/telemetry'
import { type AsJson, exportButtons, Load, type TableColumn, tableView } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { groupKey, keyHeading } from '../figures.ts'
import type { Look } from '../look.ts'
import { groupPick } from '../parts.ts'
import { path } from '../requests.ts'
import { capturesOf, type Stages } from './families.ts'
import { type FunnelAnswer, type FunnelWords, percent } from './funnel.ts'

type Group = AsJson<FunnelGroup>

export class FunnelGroups {
  readonly #look: Look
  readonly #chosen: () => Stages
  readonly load

  constructor(look: Look, chosen: () => Stages) {
    this.#look = look
    this.#chosen = chosen
    const { page, range, dashboard } = look
    this.load = new Load(page, {
      needs: dashboard.registry,
      args: () => {
        const by = this.#by
        const { stages } = chosen()
        if (by === undefined || stages.length === 0) return null
        return [by, stages.join(), range.span.from, range.span.to] as const
      },
      run: ([by, stages, from, to], signal) => {
        const asked = path('funnel', new URLSearchParams({ stages, by }), { from, to }, {})
        return dashboard.api.read<FunnelAnswer>(asked, signal)
      }
    })
  }

  get #captures(): readonly string[] {
    const registry = this.#look.dashboard.registry.value
    return registry === undefined ? [] : capturesOf(registry, this.#chosen().stages[0])
  }

  get #by(): string | undefined {
    const captures = this.#captures
    const chosen = this.#look.page.params.get('by')
    return captures.find((by) => by === chosen) ?? captures[0]
  }

  content(words: FunnelWords): TemplateResult | typeof nothing {
    const by = this.#by
    const { load } = this
    const { t } = words
    if (by === undefined || load.value?.cohortSubjects === 0) return nothing
    const { groups = [], stages = [] } = load.value ?? {}
    return tableView({
      heading: t('funnel.groups', { key: groupKey(by) }),
      note: t('funnel.groupsNote'),
      skeleton: 4,
      columns: groupColumns({ by, stages }, words),
      rows: groups,
      idOf: ({ value }) => value ?? '',
      read: load,
      isLive: this.#look.live.isOn,
      actions: html`${this.#choice(by)}
        ${exportButtons({ name: 'funnel', rows: groups, cells: () => groups.map((group) => groupCells(group, by)) }, t)}`
    })
  }

  #choice(by: string): TemplateResult | typeof nothing {
    const { page } = this.#look
    const captures = this.#captures
    if (captures.length < 2) return nothing
    return groupPick(page, { by, choices: captures })
  }
}

export interface GroupStages {
  readonly by: string
  readonly stages: FunnelAnswer['stages']
}

/** One line a value: how many started, and how many of them reached each stage. */
export function groupColumns(
  { by, stages }: GroupStages,
  words: FunnelWords
): TableColumn<Group>[] {
  const { t, format, label } = words
  return [
    {
      id: 'value',
      header: keyHeading(groupKey(by)),
      least: 108,
      cell: ({ value }) => value ?? html`<span class="dim">${t('funnel.nameless')}</span>`
    },
    {
      id: 'subjects',
      header: label(stages[0]?.as ?? ''),
      align: 'end',
      least: 96,
      cell: ({ subjects }) => format.number(subjects)
    },
    ...stages.slice(1).map(
      ({ as }): TableColumn<Group> => ({
        id: as,
        header: label(as),
        align: 'end',
        least: 124,
        cell: ({ stages: reached }) => {
          const stage = reached.find((one) => one.as === as)
          if (stage === undefined) return '–'
          return html`${format.number(stage.subjects)}
            <span class="dim">${percent(stage.pctOfFirst, words)}</span>`
        }
      })
    )
  ]
}

export const groupCells = (
  { value, subjects, stages }: Group,
  by: string
): Record<string, unknown> => ({
  [groupKey(by)]: value ?? '',
  subjects,
  ...Object.fromEntries(stages.map((stage) => [stage.as, stage.subjects]))
})
