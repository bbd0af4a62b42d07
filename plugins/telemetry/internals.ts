// What the package's own parts may reach through a telemetry handle.

import type { Recorder } from './emit/recorder.ts'
import { errors } from './errors.ts'
import type { TelemetryStorage } from './storage/storage.ts'
import type { Telemetry } from './telemetry.ts'

export interface Internals {
  readonly storage: TelemetryStorage
  readonly recorder: Recorder
  /** Told when a key was revoked in this process. */
  readonly onKeyRevoked: Set<(id: string) => void>
  /** Told when something was erased, so that caches forget it. */
  readonly onErased: Set<() => void>
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
