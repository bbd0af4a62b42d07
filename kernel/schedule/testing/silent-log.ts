// A log that says nothing, and one that remembers.
import pino, { type Logger } from 'pino'

export const silentLog: Logger = pino({ level: 'silent' })

export interface RememberedLine {
  readonly level: number
  readonly msg: string
}

/** A log whose lines a test can look at. */
export function rememberingLog(): { readonly log: Logger; readonly lines: RememberedLine[] } {
  const lines: RememberedLine[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(JSON.parse(line)) })
  return { log, lines }
}
