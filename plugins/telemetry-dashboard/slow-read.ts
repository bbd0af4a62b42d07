// What the log says of a slow read: nothing that a reader typed, because that may name a person.

/** What was asked. Values of the range alone are among it. */
export interface ReadShape {
  readonly from?: unknown
  readonly to?: unknown
  /** Names of the other parameters. */
  readonly asked: readonly string[]
  /** Names of what was filtered by. */
  readonly filters: readonly string[]
}

/** The shape of a read's parameters. Pure. */
export function shapeOf(params: unknown): ReadShape {
  const given: Readonly<Record<string, unknown>> = typeof params === 'object' ? { ...params } : {}
  const { from, to, filters, ...others } = given
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    asked: Object.keys(others),
    filters: Object.keys(Object(filters))
  }
}
