// Where the server tells an operator what happened.

/** One event, as a plain record that can be printed as a line of JSON. */
export interface LogEvent {
  readonly level: 'info' | 'warn' | 'error'
  /** What happened, in a few words that stay the same. */
  readonly message: string
  readonly [field: string]: unknown
}

/** Takes events; must not throw. */
export type Log = (event: LogEvent) => void
