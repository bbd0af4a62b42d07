// Decides whether a request names this platform: a page of another site reaches it only under a foreign name. Pure.
import { hostNameOf, isLoopbackHost } from '@keelson/sdk'

/** The names that requests may be for, beside loopback names and the address they arrive at. */
export interface HostRule {
  readonly names: ReadonlySet<string>
}

/** What the names come from. */
export interface HostRuleParts {
  /** The address that browsers use; empty or undefined: none. */
  readonly publicUrl: string | undefined
  /** `auth.hosts` of the config. */
  readonly hosts: readonly string[]
  /** What the host listens on, when it says so. */
  readonly listenHost: string | undefined
}

/** Undefined where the host gives neither a public address nor what it listens on: then any name is taken. */
export function hostRule({ publicUrl, hosts, listenHost }: HostRuleParts): HostRule | undefined {
  const hasPublicUrl = publicUrl !== undefined && publicUrl !== ''
  if (!hasPublicUrl && listenHost === undefined) return undefined
  const headers = [
    hasPublicUrl ? new URL(publicUrl).host : '',
    headerOf(listenHost ?? ''),
    ...hosts
  ]
  return { names: new Set(headers.flatMap((header) => hostNameOf(header) ?? [])) }
}

/** An IPv6 address has brackets in a Host header. */
const headerOf = (host: string): string =>
  /^[^[\]]*:[^[\]]*:[^[\]]*$/.test(host) ? `[${host}]` : host

/**
 * Whether a Host header is one of the platform's. `localAddress` is where the request arrived: a name can be made to
 * lead anywhere, an address cannot. Ports do not matter.
 */
export function isHostKnown(
  { names }: HostRule,
  header: string | undefined,
  localAddress: string | undefined
): boolean {
  const name = hostNameOf(header)
  if (name === undefined) return false
  if (names.has(name) || isLoopbackHost(name)) return true
  return localAddress !== undefined && name === hostNameOf(headerOf(plainAddress(localAddress)))
}

/** An IPv4 address of a socket that takes both families, and an address without its zone. */
const plainAddress = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
