// One minute of a host in a test: evaluates alerts, then sends what is due until nothing is.
import type { OpenedTelemetry } from '../create-telemetry.ts'

/** Resolves to how many rules were evaluated. */
export async function runAlerts({ telemetry, host }: OpenedTelemetry): Promise<number> {
  const evaluated = await telemetry.alerts.evaluate()
  const choice = { without: ['telemetry/alerts'] }
  const isDue = async () => {
    const at = await host.queuesDueAt(choice)
    return at !== undefined && at <= telemetry.clock.now()
  }
  while (await isDue()) await host.runDue(choice)
  return evaluated
}
