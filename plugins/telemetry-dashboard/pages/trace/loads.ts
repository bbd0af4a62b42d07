// What the page of one trace asks for.
import { Load } from '@keelson/ui'
import type { Dashboard } from '../dashboard.ts'
import type { RecordRow } from '../records/record.ts'
import { viewTrace } from './tree.ts'

interface TraceAnswer {
  readonly items: readonly RecordRow[]
  readonly truncated?: boolean
}

/** The trace that parameter `trace` names. */
export function traceOf({ page, api }: Dashboard) {
  return new Load(page, {
    args: () => [page.params.get('trace') ?? ''] as const,
    run: async ([traceId], signal) => {
      if (traceId === '') return { traceId, view: undefined, count: 0, truncated: false }
      const path = `/api/trace/${encodeURIComponent(traceId)}`
      const { items, truncated = false } = await api.read<TraceAnswer>(path, signal)
      return { traceId, view: viewTrace(items), count: items.length, truncated }
    }
  })
}
