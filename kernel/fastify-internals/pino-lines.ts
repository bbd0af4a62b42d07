// Reaches into pino: what every line of a logger and its children passes before it is written.
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

type Serializer = (value: unknown) => unknown

/**
 * Lets what a pino logger and its children write of `field` pass through `change`, together with the value that
 * it was made from. A logger that writes the field as it is, and other loggers, are left alone. Returns what
 * undoes it.
 */
export function changeField(
  log: FastifyBaseLogger,
  field: string,
  change: (written: unknown, value: unknown) => unknown
): () => void {
  const key = symbolOf(log, 'pino.serializers')
  if (key === undefined) return () => {}
  const loggers = log as unknown as Record<symbol, Readonly<Record<string, Serializer>>>
  const before = loggers[key] ?? {}
  const serialize = before[field]
  if (serialize === undefined) return () => {}
  // With its symbols: pino keeps more than serializers there.
  loggers[key] = { ...before, [field]: (value) => change(serialize(value), value) }
  return () => {
    loggers[key] = before
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
