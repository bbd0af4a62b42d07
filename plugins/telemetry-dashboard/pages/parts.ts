// Parts that several pages draw: the source of a chart's numbers, why a list is empty, a longer range.
import { errorText, icon } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { type EmptyReason, widerRange } from './empty.ts'
import type { Look } from './look.ts'
import type { Counts } from './requests.ts'

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

/** Why there is nothing to show; the banner of the page offers to try again. */
export const failedLine = (error: unknown, t: (key: string) => string): TemplateResult =>
  html`<p class="failed" role="status">${icon('alert', 14)}${errorText(error, t)}</p>`

/** Why a list is empty, and the ways out. */
export function emptyList({ page, range }: Look, reason: EmptyReason): TemplateResult {
  const closed = range.closing
  return html`<keelson-empty
    slot="empty"
    heading=${page.t(reason.heading, reason.values)}
    text=${page.t(reason.text, reason.values)}
  >
    <div class="actions">
      ${reason.actions.map(
        ({ label, values, changes }) =>
          html`<a class="btn" href=${page.address({ ...changes, ...closed })}
            >${page.t(label, values)}</a
          >`
      )}
    </div>
  </keelson-empty>`
}

/** A link to the next longer range. */
export function widerLink({ page, range }: Look): TemplateResult | typeof nothing {
  const wider = widerRange(range.value)
  if (wider === undefined) return nothing
  return html`<a class="btn" href=${page.address(range.changes({ range: wider }))}
    >${page.t('empty.widen', { range: wider })}</a
  >`
}
