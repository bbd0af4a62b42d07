// Writes down what a key was not allowed to write, so that pages show it and alerts watch it.
import { emitRecord } from '../emit/emit.ts'
import type { Recorder } from '../emit/recorder.ts'
import { REFUSED_EVENT } from '../registry/builtin.ts'
import type { Refusals } from './over-rate.ts'

/** In the tenant whose records they would have been. A host that declares the name itself keeps it for itself. */
export function recordRefusals(recorder: Recorder, { key, tenantId, count }: Refusals): void {
  if (recorder.registry.event(REFUSED_EVENT)?.isOpen !== true) return
  const { _id, service } = key
  const record = {
    tenantId,
    // Not among the records of the service: they are what came in.
    service: 'ingest',
    env: key.env,
    severity: 'warn' as const,
    attrs: { key: _id, service },
    metrics: { records: count }
  }
  // The sender has its answer; a store that is away says so elsewhere.
  emitRecord(recorder, REFUSED_EVENT, record).catch(() => undefined)
}
