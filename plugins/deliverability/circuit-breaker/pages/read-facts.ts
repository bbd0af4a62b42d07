// What both pages read: the breaker's own figures, and what other plugins know about the sender domains.
import type { Health, HealthApi, Trip } from './api.ts'
import type { CockpitFacts } from './cockpit/verdicts.ts'

export type Facts = CockpitFacts & { readonly trips: readonly Trip[] }

/** Reads all; null where no enabled plugin answers. */
export async function readFacts(api: HealthApi, signal: AbortSignal): Promise<Facts> {
  const [{ trips = [], ...health }, readiness, gmail, lists] = await Promise.all([
    api.read<Health>('/health?trips=true', signal),
    api.readIfThere<NonNullable<CockpitFacts['readiness']>>('/readiness?alignment=true', signal),
    api.readIfThere<NonNullable<CockpitFacts['gmail']>>('/postmaster', signal),
    api.readIfThere<NonNullable<CockpitFacts['lists']>>('/dnsbl', signal)
  ])
  return { health, trips, readiness, gmail, lists }
}
