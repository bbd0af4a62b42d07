// The order of the plugins: who needs whom, circles, and layers that can be done side by side.

export interface Needs {
  readonly id: string
  /** Plugins that must come first. */
  readonly hard: readonly string[]
  /** Plugins that come first where that makes no circle. */
  readonly soft: readonly string[]
}

/** The first circle of hard needs, from a plugin back to itself; undefined when there is none. */
export function findCycle(nodes: readonly Needs[]): string[] | undefined {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const finished = new Set<string>()
  const visit = (id: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id]
    const node = byId.get(id)
    if (finished.has(id) || node === undefined) return undefined
    for (const needed of node.hard) {
      const cycle = visit(needed, [...path, id])
      if (cycle !== undefined) return cycle
    }
    finished.add(id)
    return undefined
  }
  for (const { id } of nodes) {
    const cycle = visit(id, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}

/**
 * Layers of ids: each plugin is in the first layer after all it needs. Within a layer the given
 * order is kept. The hard needs must have no circle.
 */
export function layersOf(nodes: readonly Needs[]): string[][] {
  const before = acceptedNeeds(nodes)
  const layerOf = new Map<string, number>()
  const layer = (id: string): number => {
    const known = layerOf.get(id)
    if (known !== undefined) return known
    const own = Math.max(-1, ...[...(before.get(id) ?? [])].map(layer)) + 1
    layerOf.set(id, own)
    return own
  }
  const layers: string[][] = []
  for (const { id } of nodes) {
    const at = layer(id)
    while (layers.length <= at) layers.push([])
    layers[at]?.push(id)
  }
  return layers
}

/** Hard needs, then each soft one that closes no circle. */
function acceptedNeeds(nodes: readonly Needs[]): Map<string, Set<string>> {
  const known = new Set(nodes.map(({ id }) => id))
  const before = new Map(
    nodes.map(({ id, hard }) => [id, new Set(hard.filter((needed) => known.has(needed)))])
  )
  for (const { id, soft } of nodes) {
    for (const needed of soft) {
      if (known.has(needed) && !reaches(before, needed, id)) before.get(id)?.add(needed)
    }
  }
  return before
}

function reaches(before: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string) {
  const waiting = [from]
  const seen = new Set<string>()
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === to) return true
    if (seen.has(id)) continue
    seen.add(id)
    waiting.push(...(before.get(id) ?? []))
  }
  return false
}
