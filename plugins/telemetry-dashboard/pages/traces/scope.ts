// Which spans the Traces page counts and lists: root spans, one of each trace, or all spans.
import type { KeelsonPage } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { EmptyReason } from '../empty.ts'

export type SpanScope = 'roots' | 'all'

/** `spans=all` of the address; root spans without it. */
export const spanScope = (params: URLSearchParams): SpanScope =>
  params.get('spans') === 'all' ? 'all' : 'roots'

/** What the API is asked for. */
export const scopeFilter = (scope: SpanScope): Readonly<Record<string, string>> =>
  scope === 'all' ? { kind: 'span' } : { kind: 'span', isRoot: 'true' }

/** The switch, and what the figures of the page count. */
export function scopeSwitch(page: KeelsonPage): TemplateResult {
  const { t } = page
  const shown = spanScope(page.params)
  const link = (scope: SpanScope) => html`<a
    class="btn"
    href=${page.address({ spans: scope === 'all' ? 'all' : null })}
    aria-current=${scope === shown ? 'true' : nothing}
    >${t(`traces.${scope}`)}</a
  >`
  return html`<nav class="row scope" aria-label=${t('traces.scope')}>
    ${link('roots')}${link('all')}
    <span class="dim">${t(`traces.${shown}.counted`)}</span>
  </nav>`
}

/** Why the list is empty. Root spans may be missing where there are spans. */
export function whyNoSpans(reason: EmptyReason, scope: SpanScope): EmptyReason {
  if (scope === 'all') return reason
  const { heading, text, actions } = reason
  return {
    ...reason,
    heading: heading === 'empty.none' ? 'traces.noRoots' : heading,
    text: heading === 'empty.none' ? 'traces.noRootsText' : text,
    actions: [{ label: 'traces.showAll', values: {}, changes: { spans: 'all' } }, ...actions]
  }
}
