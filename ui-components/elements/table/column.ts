// Columns of a table, and which of them fit into a width: pure.

/** A column of `keelson-table`. */
export interface TableColumn<Row> {
  readonly id: string
  /** Empty for a column that needs no visible heading: `hiddenHeader` then names it for screen readers. */
  readonly header: string
  readonly hiddenHeader?: string
  /** Text or a template. */
  cell(row: Row): unknown
  /** Tooltip. */
  hint?(row: Row): string | undefined
  /** Pixels, at least those of the header. Without it the column shares what is left. */
  readonly width?: number
  /**
   * Pixels that a column without a width keeps at least. A table too narrow for all its columns then scrolls
   * sideways, and its first column stays.
   */
  readonly least?: number
  /** Share among the columns without a width. Default 1. */
  readonly grow?: number
  /** `end` for figures. Default `start`. */
  readonly align?: 'start' | 'end'
  /** Sortable; the direction of the first press. */
  readonly sort?: 'asc' | 'desc'
  /** Holds the row's link. Default: the first column. */
  readonly link?: boolean
  /** Hidden when the table is narrower than this many pixels. */
  readonly hideBelow?: number
  /** On a second line of its row when the table is narrower than 560 pixels. */
  readonly wraps?: boolean
  /** Set in the monospaced font. */
  readonly mono?: boolean
  /** Set in the quieter text colour. */
  readonly quiet?: boolean
}

/** The column that a table is sorted by. */
export interface TableSort {
  /** The `id` of a `TableColumn`. */
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/** The columns that are shown at a width. The one with the row's link always is. */
export function columnsAt<Row>(
  columns: readonly TableColumn<Row>[],
  width: number
): readonly TableColumn<Row>[] {
  return columns.filter(
    (column) => column.link === true || column.hideBelow === undefined || width >= column.hideBelow
  )
}

/** The grid's columns: fixed ones as wide as their header, the others share the rest and never push beyond it. */
export function gridColumns<Row>(columns: readonly TableColumn<Row>[]): string {
  const isAllFixed = columns.every(({ width }) => width !== undefined)
  return columns
    .map(({ width, header, sort, least, grow = 1 }, at) => {
      if (width === undefined) return `minmax(${least === undefined ? 0 : `${least}px`}, ${grow}fr)`
      // Words of one language are longer than those of another; a sortable header has an arrow.
      const room = sort === undefined ? 16 : 36
      const fixed = `max(${width}px, ${header.length}ch + ${room}px)`
      const isStretched = isAllFixed && at === columns.length - 1
      return isStretched ? `minmax(${fixed}, 1fr)` : fixed
    })
    .join(' ')
}

/** What a press on a column's header asks for. */
export function nextSort<Row>(column: TableColumn<Row>, current: TableSort | null): TableSort {
  const first = column.sort ?? 'asc'
  if (current?.column !== column.id) return { column: column.id, direction: first }
  return { column: column.id, direction: current.direction === 'asc' ? 'desc' : 'asc' }
}

/** Where a key leads from a row: its index, or undefined when the key does not move. */
export function moveBy(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined
  const to = { ArrowDown: from + 1, j: from + 1, ArrowUp: from - 1, k: from - 1 }[key]
  if (to !== undefined) return Math.min(count - 1, Math.max(0, to))
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}
