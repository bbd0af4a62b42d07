// Reaches into pino: the hook that every line of a logger and its children passes before it is written.
import type { FastifyBaseLogger } from 'fastify'

interface PinoHooks {
  readonly streamWrite?: ((line: string) => string) | undefined
}

/**
 * Lets every line of a pino logger and its children pass through `change`. Other loggers are left
 * alone. Returns what undoes it.
 *
 * pino takes hooks only when a logger is made, and the logger of the app is made by the host.
 */
export function changeLines(log: FastifyBaseLogger, change: (line: string) => string): () => void {
  const key = symbolOf(log, 'pino.hooks')
  if (key === undefined) return () => {}
  const loggers = log as unknown as Record<symbol, PinoHooks>
  const hooks = loggers[key] ?? {}
  const before = hooks.streamWrite
  // pino shares one default hooks object among all loggers of the process: it is replaced, not changed.
  loggers[key] = {
    ...hooks,
    streamWrite: (line) => change(before === undefined ? line : before(line))
  }
  return () => {
    loggers[key] = hooks
  }
}

/** By description, because the logger may come from another copy of pino. */
function symbolOf(log: object, description: string): symbol | undefined {
  for (let at: object | null = log; at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertySymbols(at).find((each) => each.description === description)
    if (found !== undefined) return found
  }
  return undefined
}
