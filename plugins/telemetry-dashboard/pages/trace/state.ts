// What the page of one trace asks for.
import { Load } from '@keelson/ui'
import type { RecordRow } from '../records/record.ts'
import { TelemetryPage } from '../telemetry-page.ts'
import { viewTrace } from './tree.ts'

interface TraceAnswer {
  readonly items: readonly RecordRow[]
  readonly truncated?: boolean
}

export class TraceState extends TelemetryPage {
  /** The trace that is looked at; empty for none. */
  protected get traceId(): string {
    return this.params.get('trace') ?? ''
  }

  protected readonly trace = new Load(this, {
    args: () => [this.traceId] as const,
    run: async ([traceId], signal) => {
      if (traceId === '') return { traceId, view: undefined, count: 0, truncated: false }
      const path = `/api/trace/${encodeURIComponent(traceId)}`
      const { items, truncated = false } = await this.read<TraceAnswer>(path, signal)
      return { traceId, view: viewTrace(items), count: items.length, truncated }
    }
  })

  /** Ids are a tenant's own, and a trace may cross tenants for who sees them all. */
  protected rowId(row: RecordRow): string {
    return `${row.tenantId} ${row._id}`
  }

  protected override willUpdate(changed: Parameters<TelemetryPage['willUpdate']>[0]): void {
    super.willUpdate(changed)
    const title = this.t('trace.title')
    const name = this.trace.value?.view?.title
    this.setTitle(name === undefined ? title : `${name} · ${title}`)
  }
}
