// Decides what the command does once its server has ended: start it again after a while, or end too.
import { EXIT_SERVER_KILLED } from './exit-codes.ts'

const WINDOW_MS = 60_000
/** With so many ends within the window the next would come soon. */
export const MOST_ENDS = 5
const FIRST_DELAY_MS = 100
/** An operator or the system sends them to end a process in order. */
const REQUESTS: readonly string[] = ['SIGTERM', 'SIGINT']

/** How a server's process ended: with a code, or by a signal. */
export interface ServerEnd {
  /** In milliseconds of any clock that only goes forward. */
  readonly at: number
  readonly code: number | null
  readonly signal: string | null
  /** The command had been told to end. */
  readonly wasAsked: boolean
}

/** What to do about the last end; `ends` counts those by a signal within a minute. */
export type AfterEnd =
  | { readonly kind: 'exit'; readonly exitCode: number }
  | { readonly kind: 'start'; readonly afterMs: number; readonly ends: number }
  | { readonly kind: 'give up'; readonly exitCode: number; readonly ends: number }

/** Decides by the last ends, `MOST_ENDS` of them or all; the very last is to be answered now. */
export function afterEnd(history: readonly ServerEnd[], now: number): AfterEnd {
  const last = history.at(-1)
  if (!last) return { kind: 'start', afterMs: 0, ends: 0 }
  if (last.code !== null) return { kind: 'exit', exitCode: last.code }
  // Sent before the server was listening to it.
  if (REQUESTS.includes(String(last.signal))) return { kind: 'exit', exitCode: 0 }
  const ends = history.filter(({ at }) => now - at < WINDOW_MS).length
  if (last.wasAsked || ends >= MOST_ENDS) {
    return { kind: 'give up', exitCode: EXIT_SERVER_KILLED, ends }
  }
  return { kind: 'start', afterMs: FIRST_DELAY_MS * 2 ** (ends - 1), ends }
}
