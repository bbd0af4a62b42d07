// The figures of the Dashboard page: a period beside the one before.
import type { Format } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { type Linked, mailHref } from '../addresses.ts'
import type { DashboardAnswer } from './answers.ts'

/** What the tiles show. */
export interface TilesView extends Linked {
  readonly value: DashboardAnswer | undefined
  readonly missing: unknown
  readonly isFirst: boolean
  /** Of the period. */
  readonly days: number
  readonly format: Format
  t(key: string, values?: Readonly<Record<string, string | number>>): string
}

interface Tile {
  readonly label: string
  readonly value: string
  readonly change?: number | null
  readonly base?: number
  readonly changeText?: string
  readonly against: string
  readonly points?: readonly number[]
  readonly href?: string
}

/** The tiles. */
export const tiles = (view: TilesView): TemplateResult =>
  html`<div class="tiles">${tilesOf(view).map((tile) => tileView(view, tile))}</div>`

function tileView({ missing, isFirst }: TilesView, tile: Tile): TemplateResult {
  return html`<keelson-stat
    label=${tile.label}
    value=${tile.value}
    .change=${tile.change ?? null}
    .base=${tile.base ?? null}
    change-text=${tile.changeText ?? ''}
    against=${tile.against}
    .points=${tile.points ?? []}
    href=${tile.href ?? ''}
    .error=${missing}
    ?loading=${isFirst}
  ></keelson-stat>`
}

function tilesOf(view: TilesView): readonly Tile[] {
  const { value, format, t } = view
  const { sends, deliveredRate, openRate, clickRate } = value?.kpis ?? {}
  const sent = sends?.value ?? 0
  const before = sent - (sends?.delta ?? 0)
  return [
    {
      label: t('dashboard.sends'),
      value: format.compact(sent),
      change: sends?.delta == null || before === 0 ? null : sends.delta / before,
      base: before,
      against:
        sends?.delta == null
          ? t(`dashboard.last.${view.days}`)
          : t('dashboard.against', { value: format.compact(before) }),
      points: value?.series.course.sends ?? [],
      href: mailHref(view, 'sends')
    },
    {
      ...rate(view, t('dashboard.delivered'), deliveredRate),
      ...(deliveredRate?.value == null && sent > 0 && { against: t('dashboard.noReport') }),
      ...((deliveredRate?.value != null || (deliveredRate?.bounced ?? 0) > 0) && {
        against: t('dashboard.bounced', { value: format.percent(deliveredRate?.bounced ?? 0, 1) })
      })
    },
    {
      ...rate(view, t('dashboard.opened'), openRate && { ...openRate, value: openRate.exclBots }),
      points: value?.series.course.opens ?? []
    },
    rate(view, t('dashboard.clicked'), clickRate)
  ]
}

interface Rate {
  readonly value: number | null
  readonly delta: number | null
}

/** A share of mails; without mail there is none. */
function rate({ format, t, days }: TilesView, label: string, kpi: Rate | undefined): Tile {
  const { value = null, delta = null } = kpi ?? {}
  if (value === null) return { label, value: '–', against: t('dashboard.noMail') }
  const points = delta === null ? null : Math.round(delta * 1000) / 10
  return {
    label,
    value: format.percent(value, 1),
    change: points,
    changeText:
      points === null ? '' : t('dashboard.points', { value: format.number(Math.abs(points)) }),
    against: t(points === null ? `dashboard.last.${days}` : `dashboard.before.${days}`)
  }
}
