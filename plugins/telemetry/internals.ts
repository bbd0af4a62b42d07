// What the package's own parts may reach through a telemetry handle.
import type { Limit, LimitOptions } from '@keelson/sdk'
import { errors } from './errors.ts'
import type { Records } from './records.ts'
import type { Telemetry } from './telemetry.ts'

export interface Internals extends Records {
  /** Told when a key was revoked in this process. */
  readonly onKeyRevoked: Set<(id: string) => void>
  /** Of the host. */
  limit(name: string, options: LimitOptions): Limit
  /** Adds what other plugins contribute, and makes the indexes that the registry asks for. It may be repeated. */
  completeRegistry(): Promise<void>
}

const known = new WeakMap<Telemetry, Internals>()

export function rememberInternals(telemetry: Telemetry, internals: Internals): void {
  known.set(telemetry, internals)
}

/** @throws TEL_OPTION_INVALID when the value was not made by createTelemetry of this package. */
export function internalsOf(telemetry: Telemetry): Internals {
  const internals = known.get(telemetry)
  if (internals === undefined) {
    throw errors.TEL_OPTION_INVALID({
      path: 'telemetry',
      problem: 'it was not made by createTelemetry of this package'
    })
  }
  return internals
}
