// Checks one plugin.json by itself: its shape, and the rules that a schema cannot say.
import { fitsSchema, type KeelsonError, type Manifest, manifestSchema } from '@keelson/sdk'
import { parseCron } from '@keelson/sdk/schedule'
import { collectionPrefix } from '@keelson/sdk/storage'
import semver from 'semver'
import { errors } from '../errors/errors.ts'
import { storageProblems } from '../storage/storage-problems.ts'
import type { Fault } from './faults.ts'
import { findFaults } from './fit.ts'
import { isPlainObject } from './schema-parts.ts'
import { scopeProblem } from './scope-problem.ts'

export type CheckedManifest =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly problems: readonly KeelsonError[] }

/** The version of the kernel's API that a manifest's `kernel` range is held against. */
export const KERNEL_API = '1.0.0'

/** Names the kernel uses for itself in metrics, addresses and collections. */
const reservedIds = new Set(['kernel', 'keelson', 'host', 'shell', 'health', 'embed', 'agenda'])

/** `source` names the plugin in messages while its id is not known to be good. */
export function checkManifest(raw: unknown, source: string): CheckedManifest {
  const plugin = nameOf(raw) ?? source
  const problems = faultsOf(raw).map((fault) =>
    fault.kind === 'unknown'
      ? errors.KRN_MANIFEST_UNKNOWN_KEY({ plugin, path: fault.path, hint: fault.hint })
      : errors.KRN_MANIFEST_INVALID({
          plugin,
          path: fault.path === '' ? 'the content' : fault.path,
          reason: fault.reason
        })
  )
  if (problems.length > 0) return { ok: false, problems }
  const manifest = raw as Manifest
  const broken = [...checkVersions(manifest), ...checkParts(manifest), ...checkRepeats(manifest)]
  return broken.length > 0 ? { ok: false, problems: broken } : { ok: true, manifest }
}

/** Looking for faults takes twenty times as long as the check that there are none. */
const faultsOf = (raw: unknown): readonly Fault[] =>
  fitsSchema(manifestSchema, raw) ? [] : findFaults(manifestSchema, raw)

function nameOf(raw: unknown): string | undefined {
  if (!isPlainObject(raw) || typeof raw['id'] !== 'string' || raw['id'] === '') return undefined
  return raw['id'].slice(0, 80)
}

function checkVersions(manifest: Manifest): KeelsonError[] {
  const plugin = manifest.id
  const problems: KeelsonError[] = []
  if (reservedIds.has(plugin)) problems.push(errors.KRN_ID_RESERVED({ plugin }))
  if (semver.valid(manifest.version) === null) {
    problems.push(
      errors.KRN_VERSION_INVALID({ plugin, path: 'version', version: manifest.version })
    )
  }
  const ranges = [
    ['kernel', manifest.kernel],
    ...Object.entries(manifest.requires ?? {}).map(([id, range]) => [`requires.${id}`, range]),
    ...Object.entries(manifest.optional ?? {}).map(([id, range]) => [`optional.${id}`, range])
  ] as const
  for (const [path, range] of ranges) {
    if (semver.validRange(range) === null) {
      problems.push(errors.KRN_RANGE_INVALID({ plugin, path, range }))
    }
  }
  if (problems.length === 0 && !semver.satisfies(KERNEL_API, manifest.kernel)) {
    problems.push(
      errors.KRN_KERNEL_RANGE({
        plugin,
        path: 'kernel',
        range: manifest.kernel,
        version: KERNEL_API
      })
    )
  }
  return problems
}

function checkParts(manifest: Manifest): KeelsonError[] {
  return [
    ...checkRoutes(manifest),
    ...checkCollections(manifest),
    ...checkJobs(manifest),
    ...checkPages(manifest)
  ]
}

function checkRoutes({ id: plugin, routes = [] }: Manifest): KeelsonError[] {
  return routes.flatMap((route, at) => {
    const path = `routes[${at}]`
    const problems: KeelsonError[] = []
    if ((route.path === undefined) === (route.at === undefined)) {
      problems.push(errors.KRN_ROUTE_ADDRESS({ plugin, path }))
    }
    const isWildcard = (route.at ?? route.path)?.endsWith('/*') === true
    if (isWildcard && route.id !== undefined) {
      const reason = 'is an operation with a wildcard'
      problems.push(errors.KRN_ROUTE_WILDCARD({ plugin, path, reason }))
    } else if (isWildcard !== (route.wildcard !== undefined)) {
      const reason = isWildcard
        ? 'is a wildcard without a reason'
        : 'must not give a reason: it is not a wildcard'
      problems.push(errors.KRN_ROUTE_WILDCARD({ plugin, path: `${path}.wildcard`, reason }))
    }
    const reason = scopeProblem(route)
    if (reason !== undefined) {
      problems.push(errors.KRN_ROUTE_SCOPES({ plugin, path: `${path}.scopes`, reason }))
    }
    return problems
  })
}

function checkCollections(manifest: Manifest): KeelsonError[] {
  const plugin = manifest.id
  const prefix = collectionPrefix(manifest)
  const stem = prefix.endsWith('_') ? prefix : `${prefix}_`
  const own = (manifest.collections ?? []).flatMap(({ name, indexes }, at) => {
    const path = `collections[${at}]`
    const problems: KeelsonError[] = []
    if (name !== prefix && !name.startsWith(stem)) {
      const details = { plugin, path: `${path}.name`, collection: name, prefix: stem }
      problems.push(errors.KRN_COLLECTION_PREFIX(details))
    }
    for (const [number, index] of indexes.entries()) {
      if (index.ttlSeconds !== undefined && Object.keys(index.keys).length > 1) {
        problems.push(errors.KRN_INDEX_TTL({ plugin, path: `${path}.indexes[${number}]` }))
      }
    }
    return problems
  })
  return [...own, ...storageProblems(manifest)]
}

function checkJobs(manifest: Manifest): KeelsonError[] {
  const plugin = manifest.id
  const declared = new Set((manifest.collections ?? []).map((collection) => collection.name))
  const jobs = (manifest.jobs ?? []).flatMap((job, at) => {
    const path = `jobs[${at}]`
    if ((job.every === undefined) === (job.cron === undefined)) {
      return [errors.KRN_JOB_TIMES({ plugin, path, reason: 'needs one of `every` and `cron`' })]
    }
    const cron = job.cron === undefined ? undefined : parseCron(job.cron)
    if (cron?.ok === false) {
      const reason = `is not a cron expression: ${cron.reason}`
      return [errors.KRN_JOB_TIMES({ plugin, path: `${path}.cron`, reason })]
    }
    if (job.every !== undefined && Number.parseInt(job.every, 10) === 0) {
      return [
        errors.KRN_JOB_TIMES({
          plugin,
          path: `${path}.every`,
          reason: 'must be at least one second'
        })
      ]
    }
    return []
  })
  const queues = (manifest.queues ?? []).flatMap(({ collection }, at) =>
    declared.has(collection)
      ? []
      : [errors.KRN_QUEUE_COLLECTION({ plugin, path: `queues[${at}].collection`, collection })]
  )
  return [...jobs, ...queues]
}

function checkPages({ id: plugin, pages = [], routes = [] }: Manifest): KeelsonError[] {
  const reads = new Set(routes.flatMap((route) => (route.method === 'GET' ? [route.path] : [])))
  return pages.flatMap(({ element, nav }, at) => {
    const problems: KeelsonError[] = []
    const path = `pages[${at}]`
    if (!element.startsWith(`${plugin}-`)) {
      problems.push(errors.KRN_ELEMENT_PREFIX({ plugin, path: `${path}.element`, element }))
    }
    const badge = nav?.badge
    if (badge !== undefined && !reads.has(badge)) {
      problems.push(errors.KRN_BADGE_ROUTE({ plugin, path: `${path}.nav.badge`, badge }))
    }
    return problems
  })
}

function checkRepeats(manifest: Manifest): KeelsonError[] {
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['routes', (manifest.routes ?? []).map((r) => `${r.method} ${r.at ?? `mount${r.path}`}`)],
    ['collections', (manifest.collections ?? []).map(({ name }) => name)],
    ...(manifest.collections ?? []).map(
      ({ indexes }, at) => [`collections[${at}].indexes`, indexes.map(({ name }) => name)] as const
    ),
    ['jobs', (manifest.jobs ?? []).map(({ name }) => name)],
    ['queues', (manifest.queues ?? []).map(({ name }) => name)],
    ['pages', (manifest.pages ?? []).map(({ id }) => id)],
    ['pages', (manifest.pages ?? []).map(({ element }) => element)],
    ['migrations', (manifest.migrations ?? []).map(({ id }) => id)],
    ['provides', manifest.provides ?? []],
    ['uses', (manifest.uses ?? []).map((use) => (typeof use === 'string' ? use : use.capability))],
    ['extensionPoints', manifest.extensionPoints ?? []]
  ]
  return lists.flatMap(([list, names]) =>
    names.flatMap((what, at) =>
      names.indexOf(what) === at
        ? []
        : [errors.KRN_DUPLICATE({ plugin: manifest.id, path: `${list}[${at}]`, what })]
    )
  )
}
