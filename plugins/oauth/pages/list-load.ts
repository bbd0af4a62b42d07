// A list that is read page by page: the first page as any load, further ones added below.
import { Load } from '@keelson/ui'
import type { ReactiveControllerHost } from 'lit'

export interface Listed<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

export interface ListLoadOptions<Args extends readonly unknown[], Row> {
  args(): Args | null
  /** One page: what comes after the rows that are there. */
  page(args: Args, after: readonly Row[], signal?: AbortSignal): Promise<readonly Row[]>
  idOf(row: Row): string
  /** Rows of a full page: a shorter one is the last. */
  readonly size: number
}

/** Rows with those of the next page below; one that moved down meanwhile is not there twice. */
export function joinRows<Row>(
  rows: readonly Row[],
  next: readonly Row[],
  idOf: (row: Row) => string
): readonly Row[] {
  const known = new Set(rows.map(idOf))
  return [...rows, ...next.filter((row) => !known.has(idOf(row)))]
}

export class ListLoad<Args extends readonly unknown[], Row> extends Load<Args, Listed<Row>> {
  readonly #element: ReactiveControllerHost & HTMLElement
  readonly #list: ListLoadOptions<Args, Row>
  /** The next page is on its way. */
  isMore = false
  /** Why the next page did not come. */
  moreError: unknown

  constructor(element: ReactiveControllerHost & HTMLElement, options: ListLoadOptions<Args, Row>) {
    super(element, {
      args: () => options.args(),
      run: async (args, signal) => {
        this.moreError = undefined
        const rows = await options.page(args, [], signal)
        return { rows, hasMore: rows.length >= options.size }
      }
    })
    this.#element = element
    this.#list = options
  }

  get rows(): readonly Row[] {
    return this.value?.rows ?? []
  }

  /** Reads what comes below. */
  async more(): Promise<void> {
    const before = this.value
    const args = this.#list.args()
    if (before === undefined || args === null || this.isMore) return
    this.isMore = true
    this.moreError = undefined
    this.#element.requestUpdate()
    try {
      const next = await this.#list.page(args, before.rows)
      // A list that was read anew meanwhile has no place for it.
      if (this.value !== before) return
      const rows = joinRows(before.rows, next, this.#list.idOf)
      this.set({
        rows,
        hasMore: next.length >= this.#list.size && rows.length > before.rows.length
      })
    } catch (error) {
      this.moreError = error
    } finally {
      this.isMore = false
      this.#element.requestUpdate()
    }
  }
}
