// Parts that several pages draw: the source of a chart's numbers, choices, a longer range.
import { errorText, icon, type KeelsonPage } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { fits, INTERVALS } from './buckets.ts'
import { groupKey, keyHeading } from './figures.ts'
import type { Look } from './look.ts'
import type { Counts } from './requests.ts'
import { widerRange } from './wider-range.ts'

/** Where the numbers of a chart come from, for its line of actions. */
export function sourceTag(
  { page: { t } }: Look,
  counts: Omit<Counts, 'buckets'> | undefined
): TemplateResult | typeof nothing {
  if (counts === undefined) return nothing
  const { source, truncated, sampled } = counts
  const words = [source, ...(truncated ? ['truncated'] : []), ...(sampled ? ['sampled'] : [])]
  return html`<span
    slot="actions"
    class="dim source"
    title=${words.map((word) => t(`stat.${word}Hint`)).join('. ')}
    >${words.map((word) => t(`stat.${word}`)).join(', ')}</span
  >`
}

export interface PickOptions {
  readonly label: string
  readonly chosen: string
  /** Values with their texts, in order. */
  readonly choices: readonly (readonly [value: string, text: string])[]
  /** Where it is on the page. Default: among the actions of a chart or table. */
  readonly slot?: 'tags'
  readonly isDisabled?: boolean
  onPick(value: string): void
}

/** A choice of one, in the header of the page or the line of a chart or table. */
export function pick({
  label,
  chosen,
  choices,
  slot,
  isDisabled,
  onPick
}: PickOptions): TemplateResult {
  return html`<select
    slot=${slot ?? 'actions'}
    class=${slot === undefined ? 'field small' : 'field pick'}
    ?disabled=${isDisabled}
    aria-label=${label}
    @change=${(event: Event) => onPick((event.target as HTMLSelectElement).value)}
  >
    ${choices.map(([value, text]) => html`<option value=${value} .selected=${value === chosen}>${text}</option>`)}
  </select>`
}

/** The intervals that fit the range. */
export function intervalPick({ page, range, interval }: Look): TemplateResult {
  return pick({
    label: page.t('page.interval'),
    chosen: interval,
    choices: INTERVALS.filter((one) => fits(one, range.span)).map((one) => [
      one,
      page.t(`interval.${one}`)
    ]),
    onPick: (one) => page.go({ interval: one }, { replace: true })
  })
}

/** What a table of groups is grouped by: `attr:<key>` or a field, of those there are. */
export function groupPick(
  page: KeelsonPage,
  { by, choices, isDisabled = false }: GroupPickOptions
): TemplateResult {
  const named = (one: string) => page.t('group.byOne', { name: keyHeading(groupKey(one)) })
  return pick({
    label: page.t('group.by'),
    chosen: by,
    choices: choices.map((one) => [one, named(one)]),
    isDisabled,
    onPick: (one) => page.go({ by: one })
  })
}

export interface GroupPickOptions {
  readonly by: string
  readonly choices: readonly string[]
  readonly isDisabled?: boolean
}

/** Why there is nothing to show; the banner of the page offers to try again. */
export const failedLine = (error: unknown, t: (key: string) => string): TemplateResult =>
  html`<p class="failed" role="status">${icon('alert', 14)}${errorText(error, t)}</p>`

/** A link to the next longer range. */
export function widerLink({ page, range }: Look): TemplateResult | typeof nothing {
  const wider = widerRange(range.value)
  if (wider === undefined) return nothing
  return html`<a class="btn" href=${page.address(range.changes({ range: wider }))}
    >${page.t('empty.widen', { range: wider })}</a
  >`
}
