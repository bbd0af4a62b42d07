// Capabilities and extension points: what plugins offer each other, by versioned id and checked by contract.
import {
  type AnyContract,
  type Capability,
  type ContractFault,
  contractFault,
  type ExtensionPoint
} from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import { oauthProtect } from '@keelson/sdk/contracts/oauth-protect'
import { requestSpans } from '@keelson/sdk/contracts/request-spans'
import { signInPurpose } from '@keelson/sdk/contracts/sign-in-purpose'

/** What a plugin names: a contract, or (in plain JavaScript) the bare id of one that it does not have. */
export type Named<C extends AnyContract = AnyContract> = C | string

export interface Capabilities {
  /** Returns what keeps the value from fitting; then nothing is provided. */
  provide(plugin: string, capability: Named, value: unknown): Fault
  isProvided(capability: string): boolean
  /** Undefined when no plugin provides it. */
  value<T>(capability: Named<Capability<T>>): T | undefined
  /** Returns what keeps the contribution from fitting; then nothing is added. */
  extend(plugin: string, point: Named, contribution: unknown): Fault
  /** The contributions in the order they came; the list is live. */
  contributions<T>(point: Named<ExtensionPoint<T>>): readonly T[]
  /** The plugin of each contribution. */
  contributors(point: Named): readonly string[]
  /** Takes back everything of a plugin that failed. */
  withdraw(plugin: string): void
}

export type Fault = ContractFault | undefined

/** The id of what a plugin names. */
export const idOf = (named: Named): string => (typeof named === 'string' ? named : named.id)

interface Provided {
  readonly plugin: string
  readonly value: unknown
}

interface Point {
  readonly plugins: string[]
  readonly values: unknown[]
}

/** What the kernel itself uses is checked under a bare id, too. */
const OWN = new Map(
  [authViewer, oauthProtect, requestSpans, signInPurpose].map(({ id, schema }) => [id, schema])
)

function faultOf(named: Named, value: unknown): Fault {
  const schema = typeof named === 'string' ? OWN.get(named) : named.schema
  return contractFault({ schema }, value)
}

export function createCapabilities(): Capabilities {
  const provided = new Map<string, Provided>()
  const points = new Map<string, Point>()
  const pointOf = (name: string): Point => {
    const known = points.get(name)
    if (known !== undefined) return known
    const made = { plugins: [], values: [] }
    points.set(name, made)
    return made
  }
  return {
    provide(plugin, capability, value) {
      const fault = faultOf(capability, value)
      if (fault === undefined) provided.set(idOf(capability), { plugin, value })
      return fault
    },
    isProvided: (capability) => provided.has(capability),
    // Checked when it was provided.
    value: <T>(capability: Named<Capability<T>>) =>
      provided.get(idOf(capability))?.value as T | undefined,
    extend(plugin, named, contribution) {
      const fault = faultOf(named, contribution)
      if (fault !== undefined) return fault
      const point = pointOf(idOf(named))
      point.plugins.push(plugin)
      point.values.push(contribution)
      return undefined
    },
    // Checked when they were contributed.
    contributions: <T>(named: Named<ExtensionPoint<T>>) =>
      pointOf(idOf(named)).values as readonly T[],
    contributors: (named) => pointOf(idOf(named)).plugins,
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
