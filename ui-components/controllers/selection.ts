// The open row of a list: a parameter of the address, so that it survives a reload and can be shared.
import type { KeelsonPage } from '../keelson-page.ts'
import type { ParamChanges } from '../param-changes.ts'

/** Options of a `Selection`. */
export interface SelectionOptions<Row> {
  /** The parameter that holds the id of the open row. */
  readonly param: string
  /** Default: the `id` of the row. */
  idOf?(row: Row): string
  /** More parameters that go with an open row; closing removes them. */
  also?(row: Row): ParamChanges
  /** Parameters that closing removes besides. */
  readonly closes?: ParamChanges
}

/** Binds `keelson-table` (row links, opening, moving) and `keelson-drawer` (closing) to the address. */
export class Selection<Row> {
  readonly #page: KeelsonPage
  readonly #options: SelectionOptions<Row>

  constructor(page: KeelsonPage, options: SelectionOptions<Row>) {
    this.#page = page
    this.#options = options
  }

  /** The id of the open row; `null` when none is open. */
  get id(): string | null {
    return this.#page.params.get(this.#options.param)
  }

  /** The changes of the address that open a row. */
  changes(row: Row): ParamChanges {
    const { param, idOf, also } = this.#options
    const id = idOf === undefined ? (row as { id: string }).id : idOf(row)
    return { ...also?.(row), [param]: id }
  }

  /** The changes of the address that close the open row. */
  get closing(): ParamChanges {
    return { ...this.#options.closes, [this.#options.param]: null }
  }

  /** The address that opens a row: `.rowHref` of the table. */
  readonly href = (row: Row): string => this.#page.address(this.changes(row))

  /** Opens a row. */
  open(row: Row): void {
    this.#page.go(this.changes(row))
  }

  /** Closes the open row: `@keelson-close` of the drawer. */
  readonly close = (): void => this.#page.go(this.closing, { replace: true })

  /** `@keelson-open` of the table. */
  readonly onOpen = (event: CustomEvent<{ row: Row }>): void => {
    event.preventDefault()
    this.open(event.detail.row)
  }

  /** `@keelson-move` of the table: while a row is open, moving through the list shows the next one. */
  readonly onMove = ({ detail }: CustomEvent<{ row: Row }>): void => {
    if (this.id !== null) this.#page.go(this.changes(detail.row), { replace: true })
  }
}
