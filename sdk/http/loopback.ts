// Which names and addresses only this machine can reach, and which requests come from it. Pure.
import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether a name or an address is this machine alone: `localhost`, names below it, 127.0.0.0/8, ::1. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').replace(/^::ffff:(?=\d)/i, '')
  if (/^([^\s/]+\.)?localhost$/i.test(name)) return true
  const family = isIP(name)
  return family !== 0 && loopback.check(name, family === 6 ? 'ipv6' : 'ipv4')
}

/** Whether an address such as `http://localhost:3000` leads to this machine alone. */
export const isLoopbackUrl = (url: string): boolean =>
  URL.canParse(url) && isLoopbackHost(new URL(url).hostname)

/**
 * The host name in a Host header, in one spelling: lower case, without port and final dot, IPv6 without brackets.
 * Undefined for what is not a host.
 */
export function hostNameOf(header: string | undefined): string | undefined {
  // A URL takes more than a host: `user@name`, `name/path`.
  if (header === undefined || !/^[^\s/?#@\\]+$/.test(header)) return undefined
  if (!URL.canParse(`http://${header}`)) return undefined
  const { hostname } = new URL(`http://${header}`)
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/(?<=.)\.$/, '') || undefined
}

/** What the check of a request looks at: a FastifyRequest has it. */
export interface PeerRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** Headers that proxies add. */
const FORWARDED = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-.+)$/

/**
 * Whether a request comes from this machine itself. A loopback peer alone does not say so: it may be a proxy, so
 * forwarded headers, a `Host` of another machine and a public address of the platform (`host.publicUrl`) exclude it.
 */
export function isFromThisMachine(request: PeerRequest, publicUrl: string | undefined): boolean {
  if (publicUrl !== undefined && publicUrl !== '' && !isLoopbackUrl(publicUrl)) return false
  const { headers, socket } = request
  if (!isLoopbackHost(socket.remoteAddress ?? '')) return false
  if (Object.keys(headers).some((name) => FORWARDED.test(name))) return false
  const host = headers['host'] ?? headers[':authority']
  const name = typeof host === 'string' ? hostNameOf(host) : undefined
  return name !== undefined && isLoopbackHost(name)
}
