// Metrics in Prometheus' text format: counters, gauges and histograms with bounded label values.
// Format: https://prometheus.io/docs/instrumenting/exposition_formats/
import type { HistogramMetric, Metrics } from '@keelson/sdk'

type Labels = Readonly<Record<string, string>>

/** Series of one metric; what comes after lands in one series labelled `other`. */
const SERIES_LIMIT = 2000
const SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A metric that makes its own lines: for counters on paths where every call counts. */
export interface CustomFamily {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly description: string
  lines(): Iterable<string>
}

export interface MetricsRegistry extends Metrics {
  /** A view whose names start with `keelson_<plugin>_`. */
  forPlugin(plugin: string): Metrics
  /** A histogram of seconds. */
  histogram(name: string, description: string, buckets?: readonly number[]): HistogramMetric
  /** Adds a metric that makes its own lines. */
  family(family: CustomFamily): void
  /** Runs before the text is made: for gauges that are read, not set. */
  onCollect(fn: () => void): void
  text(): string
}

/** Makes an empty registry. Asking again for a name gives the same metric. */
export function createMetrics(): MetricsRegistry {
  const families = new Map<string, CustomFamily>()
  const collectors: (() => void)[] = []
  const get = <T extends CustomFamily>(name: string, make: () => T): T => {
    const known = families.get(name)
    if (known !== undefined) return known as T
    const made = make()
    families.set(name, made)
    return made
  }
  const registry: MetricsRegistry = {
    counter: (name, description) => get(name, () => numberFamily(name, 'counter', description)),
    gauge: (name, description) => get(name, () => numberFamily(name, 'gauge', description)),
    histogram: (name, description, buckets = SECONDS_BUCKETS) =>
      get(name, () => histogramFamily(name, description, buckets)),
    forPlugin: (plugin) => prefixed(registry, `keelson_${plugin.replaceAll('-', '_')}_`),
    family: (family) => {
      families.set(family.name, family)
    },
    onCollect: (fn) => {
      collectors.push(fn)
    },
    text() {
      for (const collect of collectors) collect()
      return [...families.values()].map(textOf).join('')
    }
  }
  return registry
}

function prefixed(registry: MetricsRegistry, prefix: string): Metrics {
  return {
    counter: (name, description) => registry.counter(prefix + name, description),
    gauge: (name, description) => registry.gauge(prefix + name, description),
    histogram: (name, description, buckets) =>
      registry.histogram(prefix + name, description, buckets)
  }
}

function textOf(family: CustomFamily): string {
  const description = family.description.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  const lines = [...family.lines()]
  const head = `# HELP ${family.name} ${description}\n# TYPE ${family.name} ${family.type}\n`
  return lines.length === 0 ? head : `${head}${lines.join('\n')}\n`
}

function numberFamily(name: string, type: 'counter' | 'gauge', description: string) {
  const values = new Map<string, number>()
  return {
    name,
    type,
    description,
    inc(labels?: Labels, by = 1) {
      const key = keyIn(values, labels)
      values.set(key, (values.get(key) ?? 0) + by)
    },
    set(value: number, labels?: Labels) {
      values.set(keyIn(values, labels), value)
    },
    *lines() {
      for (const [key, value] of values) yield `${name}${braced(key)} ${value}`
    }
  }
}

interface Distribution {
  readonly counts: number[]
  sum: number
  count: number
}

function histogramFamily(name: string, description: string, buckets: readonly number[]) {
  const values = new Map<string, Distribution>()
  return {
    name,
    type: 'histogram' as const,
    description,
    observe(value: number, labels?: Labels) {
      const key = keyIn(values, labels)
      let distribution = values.get(key)
      if (distribution === undefined) {
        distribution = { counts: buckets.map(() => 0), sum: 0, count: 0 }
        values.set(key, distribution)
      }
      const at = buckets.findIndex((bound) => value <= bound)
      if (at >= 0) distribution.counts[at] = (distribution.counts[at] ?? 0) + 1
      distribution.sum += value
      distribution.count++
    },
    *lines() {
      for (const [key, { counts, sum, count }] of values) {
        let below = 0
        for (const [at, bound] of buckets.entries()) {
          below += counts[at] ?? 0
          yield `${name}_bucket${braced(joined(key, `le="${bound}"`))} ${below}`
        }
        yield `${name}_bucket${braced(joined(key, 'le="+Inf"'))} ${count}`
        yield `${name}_sum${braced(key)} ${sum}`
        yield `${name}_count${braced(key)} ${count}`
      }
    }
  }
}

const braced = (key: string) => (key === '' ? '' : `{${key}}`)
const joined = (key: string, more: string) => (key === '' ? more : `${key},${more}`)

function keyIn(values: ReadonlyMap<string, unknown>, labels: Labels | undefined): string {
  if (labels === undefined) return ''
  const key = keyOf(labels)
  if (values.has(key) || values.size < SERIES_LIMIT) return key
  return keyOf(Object.fromEntries(Object.keys(labels).map((label) => [label, 'other'])))
}

function keyOf(labels: Labels): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}="${escaped(value)}"`)
    .join(',')
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
