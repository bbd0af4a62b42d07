// The one source of time.

/** The only source of time. Tests move it. */
export interface Clock {
  now(): Date
}
