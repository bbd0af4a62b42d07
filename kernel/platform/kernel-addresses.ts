// The addresses that the kernel serves itself, as the config moves them or switches them off. Pure.
import type { KeelsonConfig } from '@keelson/sdk'

/** The groups of addresses that the config can move (`addresses.<group>`). */
export const ADDRESS_GROUPS = [
  'health',
  'metrics',
  'docs',
  'openapi',
  'shell',
  'signIn',
  'assets',
  'embed'
] as const

export type AddressGroup = (typeof ADDRESS_GROUPS)[number]

const DEFAULTS: Readonly<Record<AddressGroup, string>> = {
  health: '/health',
  metrics: '/metrics',
  docs: '/docs',
  openapi: '/openapi.json',
  shell: '/',
  signIn: '/login',
  assets: '/_assets',
  embed: '/embed'
}

/** Each absolute, with the prefix; undefined for a group that is switched off. */
export type KernelAddresses = Readonly<Record<AddressGroup, string | undefined>> & {
  /** What all of it is below; empty for the root. */
  readonly prefix: string
  /** Of the navigation, as JSON. */
  readonly nav: string | undefined
  /** Where browsers report errors of pages. */
  readonly pageErrors: string | undefined
  /** Of the modules of pages. */
  readonly modules: string | undefined
  /** Whether the config places the files of @keelson/ui; else they are also below each mount. */
  readonly hasOwnAssets: boolean
}

/** `prefix` as the host gives it: with or without slashes around it. */
export function kernelAddresses(
  given: KeelsonConfig['addresses'] = {},
  prefix = ''
): KernelAddresses {
  const base = prefixOf(prefix)
  const placed = (group: AddressGroup): string | undefined => {
    const address = given[group] ?? DEFAULTS[group]
    return address === false ? undefined : below(base, address)
  }
  const groups = Object.fromEntries(ADDRESS_GROUPS.map((group) => [group, placed(group)]))
  const addresses = groups as Record<AddressGroup, string | undefined>
  const { shell } = addresses
  return {
    ...addresses,
    // Without the shell no document has a sign-in or files.
    ...(shell === undefined && { signIn: undefined, assets: undefined }),
    prefix: base,
    nav: shell === undefined ? undefined : below(shell, '/shell/nav'),
    pageErrors: shell === undefined ? undefined : below(shell, '/shell/page-errors'),
    modules: shell === undefined ? undefined : below(shell, '/shell/assets'),
    hasOwnAssets: given.assets !== undefined && given.assets !== false
  }
}

/** `platform/` becomes `/platform`; `/` becomes the empty prefix. */
export function prefixOf(given: string): string {
  const trimmed = given.replace(/^\/+|\/+$/g, '')
  return trimmed === '' ? '' : `/${trimmed}`
}

/** An address below another one; the root is `/`. */
export function below(base: string, address: string): string {
  const joined = `${base === '/' ? '' : base}${address}`.replace(/\/+$/, '')
  return joined === '' ? '/' : joined
}

/** The group that serves an address, or undefined. The shell has more: the addresses of pages. */
export function groupOf(addresses: KernelAddresses, address: string): AddressGroup | undefined {
  const { nav, modules, pageErrors } = addresses
  if (address === nav || address === pageErrors) return 'shell'
  if (modules !== undefined && isAtOrBelow(address, modules)) return 'shell'
  return ADDRESS_GROUPS.find((group) => {
    const own = addresses[group]
    if (own === undefined) return false
    return BRANCHING.has(group) ? isAtOrBelow(address, own) : address === own
  })
}

/** Groups that have everything below their address too. */
const BRANCHING: ReadonlySet<AddressGroup> = new Set(['health', 'docs', 'assets', 'embed'])

/** Operations: they make no request spans, and a worker serves them too. */
export function isOperation({ health, metrics }: KernelAddresses, address: string): boolean {
  return address === metrics || (health !== undefined && isAtOrBelow(address, health))
}

/** Whether an address is another one or below it. Everything is below the root. */
export function isAtOrBelow(address: string, above: string): boolean {
  return above === '/' || address === above || address.startsWith(`${above}/`)
}
