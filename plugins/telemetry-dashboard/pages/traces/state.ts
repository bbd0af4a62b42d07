// What the Traces page asks for beside the spans: how long they took.
import { Load } from '@keelson/ui'
import { previousSpan, type Span } from '../buckets.ts'
import { ListingPage } from '../records/listing-page.ts'
import { distributionPath } from '../requests.ts'
import type { Bar } from './histogram.ts'

interface Distribution {
  readonly n: number
  readonly truncated: boolean
  readonly histogram: readonly Bar[]
  readonly p50?: number
  readonly p95?: number
  readonly p99?: number
  readonly max?: number
}

export class TracesState extends ListingPage {
  protected override get pageId(): string {
    return 'traces'
  }

  protected override get windowTitle(): string {
    return this.t('traces.title')
  }

  /** The filters, for spans alone. */
  protected override get askingRows(): URLSearchParams {
    const asked = this.asking
    asked.set('kind', 'span')
    return asked
  }

  protected readonly durations = new Load(this, {
    args: () => [this.askingRows.toString(), this.span.from, this.span.to] as const,
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

  protected override refresh(): void {
    if (this.isMoving) super.refresh()
    else for (const load of [this.records, this.counts, this.durations]) void load.reload()
  }
}
