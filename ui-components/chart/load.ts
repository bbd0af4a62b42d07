// Loads the chart element, in a separate file, when a page first needs it.
import { Load, type LoadHost } from '../controllers/load.ts'

/** Resolves when `keelson-chart` is defined. Cheap to call again. */
export async function loadChart(): Promise<void> {
  const { defineChart } = await import('@keelson/ui/chart')
  defineChart()
}

const NEVER_AGAIN = [] as const

/** `loadChart` for a page: when the file cannot be loaded, the page says so and offers to try again. */
export function chartLoad(page: LoadHost): Load<readonly [], void> {
  return new Load(page, { args: () => NEVER_AGAIN, run: loadChart })
}
