// defineRegistry: checks event declarations once and prepares everything that is looked up later.

import type { EventSpec, RegistrySpec } from '../contracts/telemetry-registry.ts'
import { errors } from '../errors.ts'
import type { RegistryEntry } from '../schemas/system.ts'
import { BUILTIN_EVENTS } from './builtin.ts'
import { compileEvent } from './check.ts'
import type { CompiledEvent, CompiledRollup, Registry, RollupFamily } from './types.ts'

const MAX_EVENTS = 1000

/**
 * Checks the declarations of all event names and prepares them for writing and reading. The built-in
 * `otlp.*` names and `ingest.refused` are always part of the result.
 *
 * @throws TEL_REGISTRY_INVALID, its message names the event and the setting.
 */
export function defineRegistry(spec: RegistrySpec): Registry {
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) {
    throw errors.TEL_REGISTRY_INVALID({ path: 'registry', problem: 'it must be an object' })
  }
  const names = Object.keys(spec)
  if (names.length > MAX_EVENTS) {
    throw errors.TEL_REGISTRY_INVALID({
      path: 'registry',
      problem: `it declares more than ${MAX_EVENTS} names`
    })
  }
  const events = new Map<string, CompiledEvent>()
  for (const name of names) {
    events.set(name, compileEvent(name, spec[name] as EventSpec, false))
  }
  for (const [name, builtin] of Object.entries<EventSpec>(BUILTIN_EVENTS)) {
    if (!events.has(name)) events.set(name, compileEvent(name, builtin, true))
  }
  const families = familiesOf(events)
  const projection = projectEvents(events)
  return Object.freeze({
    event: (name: string) => events.get(name),
    family: (as: string) => families.get(as),
    events,
    families,
    project: () => projection
  })
}

/** The declarations that a registry was made from, without the built-in ones. */
export function specOf(registry: Registry): RegistrySpec {
  const own = [...registry.events.values()].filter((event) => !event.isOpen)
  return Object.fromEntries(own.map((event) => [event.name, event.spec]))
}

/** What two declarations of one family must agree on. dimDefault is not part of it. */
function shapeOf(rollup: CompiledRollup): string {
  const by = rollup.by.map((dimension) => dimension.dimension)
  return JSON.stringify([by, rollup.bucket ?? null, [...rollup.subjects].sort()])
}

function familiesOf(events: ReadonlyMap<string, CompiledEvent>): Map<string, RollupFamily> {
  const families = new Map<string, RollupFamily>()
  const shapes = new Map<string, string>()
  for (const event of events.values()) {
    for (const rollup of event.rollups) {
      const shape = shapeOf(rollup)
      const known = shapes.get(rollup.as)
      if (known !== undefined && known !== shape) {
        throw errors.TEL_REGISTRY_INVALID({
          path: event.name,
          problem: `its rollup family "${rollup.as}" is declared elsewhere with another shape`
        })
      }
      shapes.set(rollup.as, shape)
      families.set(rollup.as, joinFamily(families.get(rollup.as), rollup, event.name))
    }
  }
  return families
}

function joinFamily(
  known: RollupFamily | undefined,
  rollup: CompiledRollup,
  event: string
): RollupFamily {
  const captured = rollup.capture.map((dimension) => dimension.dimension)
  return {
    as: rollup.as,
    by: rollup.by.map((dimension) => dimension.dimension),
    bucket: rollup.bucket,
    subjects: rollup.subjects,
    sum: union(known?.sum, rollup.sum),
    capture: union(known?.capture, captured),
    label: known?.label ?? rollup.label ?? rollup.as,
    description: known?.description ?? rollup.description,
    events: union(known?.events, [event])
  }
}

const union = (a: readonly string[] | undefined, b: readonly string[]): readonly string[] => [
  ...new Set([...(a ?? []), ...b])
]

function projectEvents(
  events: ReadonlyMap<string, CompiledEvent>
): Readonly<Record<string, RegistryEntry>> {
  const entries = [...events].map(([name, event]) => [name, projectEvent(event)] as const)
  return Object.freeze(Object.fromEntries(entries))
}

function projectEvent(event: CompiledEvent): RegistryEntry {
  return {
    kind: event.kind,
    origin: event.origin,
    subjects: event.subjects,
    description: event.spec.description ?? '',
    attrKeys: [...event.attrs.keys()],
    metricKeys: [...event.metrics.keys()],
    indexedAttrs: event.spec.indexedAttrs ?? [],
    indexedMetrics: event.spec.indexedMetrics ?? [],
    rollups: event.rollups.map((rollup) => ({
      as: rollup.as,
      by: rollup.by.map((dimension) => dimension.dimension),
      bucket: rollup.bucket ?? null,
      sum: rollup.sum,
      subjects: rollup.subjects,
      label: rollup.label ?? rollup.as,
      ...(rollup.labels && { labels: rollup.labels }),
      ...(rollup.capture.length > 0 && {
        capture: rollup.capture.map((dimension) => dimension.dimension)
      })
    }))
  }
}
