// Loads the chart element, in a separate file, when a page first needs it.

/** Resolves when `keelson-chart` is defined. Cheap to call again. */
export async function loadChart(): Promise<void> {
  const { defineChart } = await import('@keelson/ui/chart')
  defineChart()
}
