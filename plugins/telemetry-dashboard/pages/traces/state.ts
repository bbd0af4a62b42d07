// What the Traces page asks for: spans, their durations, and one trace.
import { Load } from '@keelson/ui'
import { previousSpan, type Span } from '../buckets.ts'
import { RangedPage } from '../ranged-page.ts'
import type { RecordRow } from '../records/record.ts'
import { countsPath, distributionPath, readCounts, recordsPath } from '../requests.ts'
import type { Bar } from './histogram.ts'
import { viewTrace } from './tree.ts'

interface SpansPage {
  readonly items: readonly RecordRow[]
  readonly nextCursor: string | null
}

interface Distribution {
  readonly n: number
  readonly truncated: boolean
  readonly histogram: readonly Bar[]
  readonly p50?: number
  readonly p95?: number
  readonly p99?: number
  readonly max?: number
}

interface TraceAnswer {
  readonly items: readonly RecordRow[]
  readonly truncated?: boolean
}

export class TracesState extends RangedPage {
  static override readonly properties = {
    ...RangedPage.properties,
    _loadingMore: { state: true }
  }
  declare _loadingMore: boolean

  constructor() {
    super()
    this._loadingMore = false
  }

  /** The trace that is looked at; null for the list. */
  protected get traceId(): string | null {
    return this.params.get('trace')
  }

  protected override get windowTitle(): string {
    const title = this.t('traces.title')
    return this.traceId === null ? title : `${this.trace.value?.view?.title ?? ''} · ${title}`
  }

  /** The filters, for spans alone. */
  protected get askingSpans(): URLSearchParams {
    const asked = this.asking
    asked.set('kind', 'span')
    return asked
  }

  get #listArgs() {
    if (this.traceId !== null) return null
    return [this.askingSpans.toString(), this.span.from, this.span.to] as const
  }

  protected readonly spans = new Load(this, {
    args: () => this.#listArgs,
    run: ([filters, from, to], signal) =>
      this.read<SpansPage>(recordsPath(new URLSearchParams(filters), { from, to }, null), signal)
  })

  protected readonly counts = new Load(this, {
    args: () => {
      const args = this.#listArgs
      return args === null ? null : ([...args, this.interval] as const)
    },
    run: async ([filters, from, to, interval], signal) => {
      const span = { from, to }
      const ask = (one: Span) =>
        this.read<Parameters<typeof readCounts>[0]>(
          countsPath(new URLSearchParams(filters), one, interval),
          signal
        )
      const [now, before] = await Promise.all([ask(span), ask(previousSpan(span))])
      return { now: readCounts(now), before: readCounts(before), span, interval }
    }
  })

  protected readonly durations = new Load(this, {
    args: () => this.#listArgs,
    run: async ([filters, from, to], signal) => {
      const span = { from, to }
      const ask = (one: Span) =>
        this.read<Distribution>(
          distributionPath(new URLSearchParams(filters), one, 'durationMs'),
          signal
        )
      const [now, before] = await Promise.all([ask(span), ask(previousSpan(span))])
      return { now, before }
    }
  })

  protected readonly trace = new Load(this, {
    args: () => (this.traceId === null ? null : ([this.traceId] as const)),
    run: async ([traceId], signal) => {
      const path = `/api/trace/${encodeURIComponent(traceId)}`
      const { items, truncated = false } = await this.read<TraceAnswer>(path, signal)
      return { traceId, view: viewTrace(items), count: items.length, truncated }
    }
  })

  protected rowId(row: RecordRow): string {
    return `${row.tenantId} ${row._id}`
  }

  protected override get pageId(): string {
    return 'traces'
  }

  protected override get isWaiting(): boolean {
    return this.spans.isPending
  }

  protected override refresh(): void {
    if (this.traceId !== null) void this.trace.reload()
    else if (this.isMoving) super.refresh()
    else for (const load of [this.spans, this.counts, this.durations]) void load.reload()
  }

  protected async loadMore(): Promise<void> {
    const page = this.spans.value
    if (page === undefined || page.nextCursor === null || this._loadingMore) return
    this._loadingMore = true
    try {
      const next = await this.read<SpansPage>(
        recordsPath(this.askingSpans, this.span, page.nextCursor)
      )
      if (this.spans.value === page) {
        this.spans.set({ items: [...page.items, ...next.items], nextCursor: next.nextCursor })
      }
    } catch (error) {
      this.toast({ text: (error as Error).message, tone: 'bad' })
    } finally {
      this._loadingMore = false
    }
  }
}
