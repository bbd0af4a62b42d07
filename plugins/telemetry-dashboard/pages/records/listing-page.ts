// A page that lists records: the rows under its filters, more of them on demand.
import { Load } from '@keelson/ui'
import { CountedPage } from '../counted-page.ts'
import { recordsPath } from '../requests.ts'
import type { RecordRow } from './record.ts'

export interface RecordsPage {
  readonly items: readonly RecordRow[]
  readonly nextCursor: string | null
}

export class ListingPage extends CountedPage {
  static override readonly properties: Record<string, object> = {
    ...CountedPage.properties,
    _loadingMore: { state: true }
  }
  declare _loadingMore: boolean

  constructor() {
    super()
    this._loadingMore = false
  }

  protected readonly records = new Load(this, {
    args: () => [this.askingRows.toString(), this.span.from, this.span.to] as const,
    run: ([filters, from, to], signal) =>
      this.read<RecordsPage>(recordsPath(new URLSearchParams(filters), { from, to }, null), signal)
  })

  protected override get isWaiting(): boolean {
    return this.records.isPending
  }

  /** Ids are a tenant's own: the platform's viewer may see the same id from two. */
  protected rowId(row: RecordRow): string {
    return this.registry.value?.platform === true ? `${row.tenantId} ${row._id}` : row._id
  }

  protected async loadMore(): Promise<void> {
    const page = this.records.value
    if (page === undefined || page.nextCursor === null || this._loadingMore) return
    this._loadingMore = true
    try {
      const next = await this.read<RecordsPage>(
        recordsPath(this.askingRows, this.span, page.nextCursor)
      )
      if (this.records.value === page) {
        this.records.set({ items: [...page.items, ...next.items], nextCursor: next.nextCursor })
      }
    } catch (error) {
      this.toast({ text: (error as Error).message, tone: 'bad' })
    } finally {
      this._loadingMore = false
    }
  }
}
