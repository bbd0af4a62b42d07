// What the page of one trace asks for.
import type { TraceResult } from '@keelson/telemetry'
import { type AsJson, type KeelsonPage, Load } from '@keelson/ui'
import type { Dashboard } from '../dashboard.ts'
import { subId } from '../sub-id.ts'
import { viewTrace } from './tree.ts'

/** The trace that parameter `trace` names, or that follows the address of the page. */
export const traceIdOf = (page: KeelsonPage): string =>
  page.params.get('trace') ?? subId(page.sub) ?? ''

/** What is known of it. */
export function traceOf({ page, api }: Dashboard) {
  return new Load(page, {
    args: () => [traceIdOf(page)] as const,
    run: async ([traceId], signal) => {
      if (traceId === '') return { traceId, view: undefined, count: 0, truncated: false }
      const path = `/api/trace/${encodeURIComponent(traceId)}`
      const { items, truncated } = await api.read<AsJson<TraceResult>>(path, signal)
      return { traceId, view: viewTrace(items), count: items.length, truncated }
    }
  })
}
