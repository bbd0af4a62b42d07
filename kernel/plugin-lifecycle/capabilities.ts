// Capabilities and extension points: what plugins offer each other, by versioned id.

export interface Capabilities {
  provide(plugin: string, capability: string, value: unknown): void
  isProvided(capability: string): boolean
  /** Undefined when nobody provides it. */
  value(capability: string): unknown
  extend(plugin: string, point: string, contribution: unknown): void
  /** The contributions in the order they came; the list is live. */
  contributions(point: string): readonly unknown[]
  /** Takes back everything of a plugin that failed. */
  withdraw(plugin: string): void
}

interface Contribution {
  readonly plugin: string
  readonly value: unknown
}

export function createCapabilities(): Capabilities {
  const provided = new Map<string, Contribution>()
  const points = new Map<string, { readonly plugins: string[]; readonly values: unknown[] }>()
  const pointOf = (name: string) => {
    const known = points.get(name)
    if (known !== undefined) return known
    const made = { plugins: [], values: [] }
    points.set(name, made)
    return made
  }
  return {
    provide(plugin, capability, value) {
      provided.set(capability, { plugin, value })
    },
    isProvided: (capability) => provided.has(capability),
    value: (capability) => provided.get(capability)?.value,
    extend(plugin, name, contribution) {
      const point = pointOf(name)
      point.plugins.push(plugin)
      point.values.push(contribution)
    },
    contributions: (name) => pointOf(name).values,
    withdraw(plugin) {
      for (const [capability, { plugin: owner }] of provided) {
        if (owner === plugin) provided.delete(capability)
      }
      for (const { plugins, values } of points.values()) {
        for (let at = plugins.length - 1; at >= 0; at--) {
          if (plugins[at] !== plugin) continue
          plugins.splice(at, 1)
          values.splice(at, 1)
        }
      }
    }
  }
}
