// A list that is read page by page: the first page as any load, further pages added below.
import { Load, type LoadHost, type LoadOptions } from './load.ts'

/** One page of a list, as an API answers it. */
export interface ListPage<Row> {
  readonly items: readonly Row[]
  /** Where the next page starts; `null` on the last page. Omitted by APIs that count rows instead. */
  readonly nextCursor?: string | null
}

/** Where a further page starts. */
export interface ListPosition<Row> {
  /** The rows that are loaded; empty for the first page. */
  readonly rows: readonly Row[]
  /** `nextCursor` of the page before; `null` for the first page. */
  readonly cursor: string | null
}

/** The loaded part of a list. */
export interface Listed<Row> extends ListPosition<Row> {
  readonly hasMore: boolean
}

/** What a `ListLoad` reads, and when. */
export interface ListLoadOptions<Args extends readonly unknown[], Row>
  extends Pick<LoadOptions<Args, Row>, 'needs' | 'quiet'> {
  /** Compared one by one after each change of the host; a change reads the first page. `null`: nothing to load. */
  args(): Args | null
  /** Reads the page that starts at `after`. `signal` is only given for the first page. */
  page(args: Args, after: ListPosition<Row>, signal?: AbortSignal): Promise<ListPage<Row>>
  /** Identifies a row, so that a row that moved down between two reads is not listed twice. */
  idOf(row: Row): string
  /** Rows of a full page, for an API without `nextCursor`: a shorter page is the last one. */
  readonly size?: number
}

/** Rows followed by those of the next page that are not among them. */
export function joinRows<Row>(
  rows: readonly Row[],
  next: readonly Row[],
  idOf: (row: Row) => string
): readonly Row[] {
  const known = new Set(rows.map(idOf))
  return [...rows, ...next.filter((row) => !known.has(idOf(row)))]
}

/**
 * A `Load` whose value is a growing list.
 *
 * @example
 * readonly #list = new ListLoad(this, {
 *   args: () => [this.params.get('status')] as const,
 *   idOf: ({ id }) => id,
 *   page: ([status], { cursor }, signal) => this.#api.read(path(status, cursor), signal)
 * })
 */
export class ListLoad<Args extends readonly unknown[], Row> extends Load<Args, Listed<Row>> {
  readonly #element: LoadHost
  readonly #list: ListLoadOptions<Args, Row>
  /** Whether a further page is being read. */
  isMore = false
  /** Why the last further page could not be read. */
  moreError: unknown

  constructor(element: LoadHost, options: ListLoadOptions<Args, Row>) {
    super(element, {
      ...options,
      args: () => options.args(),
      run: async (args, signal) => {
        this.moreError = undefined
        const page = await options.page(args, { rows: [], cursor: null }, signal)
        return listed(page, page.items, options.size)
      }
    })
    this.#element = element
    this.#list = options
  }

  /** The loaded rows. */
  get rows(): readonly Row[] {
    return this.value?.rows ?? []
  }

  /** Whether there are rows below the loaded ones. */
  get hasMore(): boolean {
    return this.value?.hasMore === true
  }

  /** Whether a first or further page is being read, or about to be. */
  get isBusy(): boolean {
    return this.isFirst || this.isPending || this.isMore
  }

  override get failure(): unknown {
    return super.failure ?? this.moreError
  }

  /** Reads the next page. Does nothing while one is being read. */
  async more(): Promise<void> {
    const before = this.value
    const args = this.#list.args()
    if (before === undefined || args === null || this.isMore) return
    this.isMore = true
    this.moreError = undefined
    this.#element.requestUpdate()
    try {
      const page = await this.#list.page(args, before)
      // The list was read again meanwhile: this page belongs to the old one.
      if (this.value !== before) return
      const rows = joinRows(before.rows, page.items, this.#list.idOf)
      const next = listed(page, rows, this.#list.size)
      this.set({ ...next, hasMore: next.hasMore && rows.length > before.rows.length })
    } catch (error) {
      this.moreError = error
    } finally {
      this.isMore = false
      this.#element.requestUpdate()
    }
  }

  /** Tries again what failed: the further page, or the whole list. */
  override async retry(): Promise<void> {
    await (this.moreError === undefined ? this.reload() : this.more())
  }
}

function listed<Row>(
  { items, nextCursor }: ListPage<Row>,
  rows: readonly Row[],
  size = Number.POSITIVE_INFINITY
): Listed<Row> {
  const hasMore = nextCursor === undefined ? items.length >= size : nextCursor !== null
  return { rows, cursor: nextCursor ?? null, hasMore }
}
