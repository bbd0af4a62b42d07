// Checks plugins against each other: versions, circles, capabilities, collections and addresses.
import { type KeelsonError, type Manifest, type ManifestUse, nearestName } from '@keelson/sdk'
import { kernelPlugins } from '@keelson/sdk/contracts/kernel-plugins'
import { oauthProtect } from '@keelson/sdk/contracts/oauth-protect'
import { requestSpans } from '@keelson/sdk/contracts/request-spans'
import { signInPurpose } from '@keelson/sdk/contracts/sign-in-purpose'
import semver from 'semver'
import { errors } from '../errors/errors.ts'
import { pageAddress, routeKey } from './addresses.ts'
import { findCycle, type Needs } from './graph.ts'
import { groupOf, type KernelAddresses } from './kernel-addresses.ts'
import type { KnownPlugin } from './platform.ts'

/** Extension points and capabilities of the kernel itself. */
export const kernelPoints: readonly string[] = [requestSpans.id, signInPurpose.id, kernelPlugins.id]

export const BEARER_CAPABILITY = oauthProtect.id

export interface Agreement {
  /** Plugins that start. */
  readonly enabled: readonly KnownPlugin[]
  /** Plugins that are here but switched off: what they offer is known, but down. */
  readonly disabled: readonly KnownPlugin[]
  readonly addresses: KernelAddresses
}

/** Everything that is wrong between the plugins. */
export function checkAgreement({ enabled, disabled, addresses }: Agreement): KeelsonError[] {
  return [
    ...checkRequirements(enabled, disabled),
    ...checkCircle(enabled),
    ...checkCapabilities(enabled, disabled),
    ...checkCollections(enabled),
    ...checkRoutes(enabled, addresses)
  ]
}

function checkRequirements(
  enabled: readonly KnownPlugin[],
  disabled: readonly KnownPlugin[]
): KeelsonError[] {
  const versions = new Map([...disabled, ...enabled].map((known) => [known.id, known.manifest]))
  return enabled.flatMap(({ id: plugin, manifest }) => {
    const ranges = [
      ...Object.entries(manifest.requires ?? {}).map(([id, range]) => ['requires', id, range]),
      ...Object.entries(manifest.optional ?? {}).map(([id, range]) => ['optional', id, range])
    ] as [string, string, string][]
    return ranges.flatMap(([key, required, range]) => {
      const path = `${key}.${required}`
      const version = versions.get(required)?.version
      if (version === undefined) {
        return key === 'optional' ? [] : [errors.KRN_REQUIRES_MISSING({ plugin, path, required })]
      }
      if (semver.satisfies(version, range)) return []
      return [errors.KRN_REQUIRES_VERSION({ plugin, path, required, range, version })]
    })
  })
}

function checkCircle(enabled: readonly KnownPlugin[]): KeelsonError[] {
  const cycle = findCycle(needsOf(enabled))
  if (cycle === undefined) return []
  return [errors.KRN_CYCLE({ plugin: cycle[0], path: 'requires', cycle: cycle.join(' → ') })]
}

/**
 * Who comes before whom: requirements firmly, providers of what is used where possible. Extension points can
 * be extended before their owner registers, so they order nothing: as needs they would close circles.
 */
export function needsOf(plugins: readonly KnownPlugin[]): Needs[] {
  const providing = plugins.flatMap(({ id, manifest }) =>
    (manifest.provides ?? []).map((capability) => ({ capability, id }))
  )
  return plugins.map(({ id, manifest }) => ({
    id,
    hard: [...Object.keys(manifest.requires ?? {}), ...Object.keys(manifest.optional ?? {})],
    soft: usedBy(manifest)
      .flatMap((use) => providing.filter(({ capability }) => capability === use.capability))
      .map((provider) => provider.id)
      .filter((provider) => provider !== id)
  }))
}

export interface Use {
  readonly capability: string
  readonly isOptional: boolean
  readonly path: string
}

/** Declared uses, and the protection that bearer routes imply. */
export function usedBy(manifest: Manifest): Use[] {
  const uses = (manifest.uses ?? []).map((use, at) => ({ ...readUse(use), path: `uses[${at}]` }))
  const bearer = (manifest.routes ?? []).findIndex(({ auth }) => auth === 'bearer')
  const isCovered = uses.some(({ capability }) => capability === BEARER_CAPABILITY)
  if (bearer < 0 || isCovered) return uses
  const path = `routes[${bearer}].auth`
  return [...uses, { capability: BEARER_CAPABILITY, isOptional: false, path }]
}

function readUse(use: ManifestUse): { capability: string; isOptional: boolean } {
  if (typeof use === 'string') return { capability: use, isOptional: false }
  return { capability: use.capability, isOptional: use.optional === true }
}

/** Capability or extension point → ids of the plugins that offer it. */
export function offers(plugins: readonly Pick<KnownPlugin, 'id' | 'manifest'>[]) {
  const offering = new Map<string, string[]>()
  for (const { id, manifest } of plugins) {
    for (const name of [...(manifest.provides ?? []), ...(manifest.extensionPoints ?? [])]) {
      offering.set(name, [...(offering.get(name) ?? []), id])
    }
  }
  return offering
}

function checkCapabilities(
  enabled: readonly KnownPlugin[],
  disabled: readonly KnownPlugin[]
): KeelsonError[] {
  const offering = offers([...enabled, ...disabled])
  const missing = enabled.flatMap(({ id: plugin, manifest }) => {
    const absent = usedBy(manifest)
      .filter(({ capability, isOptional }) => !isOptional && !kernelPoints.includes(capability))
      .filter(({ capability }) => !offering.has(capability))
    return missingOf(plugin, absent, [...offering.keys(), ...kernelPoints])
  })
  return [...missing, ...checkSoleOffers(enabled)]
}

/** One problem for each plugin that should be there, however much of it is used. */
function missingOf(
  plugin: string,
  absent: readonly Use[],
  offered: readonly string[]
): KeelsonError[] {
  const ownerOf = ({ capability }: Use) => capability.split('.', 1)[0] ?? ''
  return [...new Set(absent.map(ownerOf))].map((owner) => {
    const uses = absent.filter((use) => ownerOf(use) === owner)
    const capability = uses.map((use) => use.capability).join(', ')
    const path = uses.map((use) => use.path).join(', ')
    const hint = capabilityHint(uses, owner, offered)
    return errors.KRN_CAPABILITY_MISSING({ plugin, path, capability, hint })
  })
}

/** A name that is misspelt is near one that its owner offers. */
function capabilityHint(uses: readonly Use[], owner: string, offered: readonly string[]): string {
  const own = offered.filter((name) => name.startsWith(`${owner}.`))
  const nearest = uses.flatMap(({ capability }) => nearestName(capability, own) ?? [])
  if (nearest.length > 0) return `Did you mean ${nearest.join(', ')}?`
  if (own.length > 0) return `The plugin ${owner} offers ${own.join(', ')}: use one of these.`
  return `Add the plugin ${owner} to the config (package @keelson/${owner} or ${owner}) or another one that provides it, or mark the use as optional.`
}

function checkSoleOffers(enabled: readonly KnownPlugin[]): KeelsonError[] {
  const owner = new Map(kernelPoints.map((point) => [point, 'the kernel']))
  return enabled.flatMap(({ id: plugin, manifest }) => {
    const declared = [
      ...(manifest.provides ?? []).map((name, at) => [name, `provides[${at}]`]),
      ...(manifest.extensionPoints ?? []).map((name, at) => [name, `extensionPoints[${at}]`])
    ] as [string, string][]
    return declared.flatMap(([capability, path]) => {
      const other = owner.get(capability)
      if (other !== undefined) {
        return [errors.KRN_CAPABILITY_TAKEN({ plugin, path, capability, other })]
      }
      owner.set(capability, plugin)
      return []
    })
  })
}

function checkCollections(enabled: readonly KnownPlugin[]): KeelsonError[] {
  const owner = new Map<string, string>()
  return enabled.flatMap(({ id: plugin, manifest }) =>
    (manifest.collections ?? []).flatMap(({ name: collection }, at) => {
      const path = `collections[${at}].name`
      const other = owner.get(collection)
      if (other !== undefined) {
        return [errors.KRN_COLLECTION_TAKEN({ plugin, path, collection, other })]
      }
      owner.set(collection, plugin)
      return []
    })
  )
}

/** Routes and pages share addresses; the kernel has some too. */
function checkRoutes(enabled: readonly KnownPlugin[], kernel: KernelAddresses): KeelsonError[] {
  const owner = new Map<string, string>()
  // A plugin may serve the start page, and it takes what the sign-in form sends.
  const sharedGroups = new Set([kernel.shell, kernel.signIn])
  return enabled.flatMap((known) => {
    const routes = known.routes.map(({ key, address, path }) => ({ key, address, path }))
    const pages = (known.manifest.pages ?? []).map((page, at) => {
      const address = pageAddress(known, page)
      return { key: routeKey('GET', address), address, path: `pages[${at}]` }
    })
    return [...routes, ...pages].flatMap(({ key, address, path }) => {
      const group = sharedGroups.has(address) ? undefined : groupOf(kernel, address)
      const other = group === undefined ? owner.get(key) : `the kernel (addresses.${group})`
      if (other !== undefined) {
        return [errors.KRN_ROUTE_CLASH({ plugin: known.id, path, route: key, other })]
      }
      owner.set(key, known.id)
      return []
    })
  })
}
