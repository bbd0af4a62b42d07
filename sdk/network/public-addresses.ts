// Which network addresses belong to the public internet. Pure.
import { BlockList, isIP } from 'node:net'

/** The special-purpose registries of IANA for IPv4, and of IPv6 what lies in its public part. */
const special = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4]
] as const) {
  special.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['2620:4f:8000::', 48]
] as const) {
  special.addSubnet(network, bits, 'ipv6')
}
/** The only part of IPv6 that is assigned. Mapped, NAT64 and link-local addresses are outside it. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether an IP address (`::1`, `[::1]`, `fe80::1%eth0`, `10.0.0.1`) is public. False for everything
 * else: loopback, private, link-local, shared (CGNAT), multicast, documentation and reserved networks,
 * all IPv6 forms of IPv4 addresses, and text that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  const family = isIP(plain)
  if (family === 4) return !special.check(plain, 'ipv4')
  if (family === 6) return globalUnicast.check(plain, 'ipv6') && !special.check(plain, 'ipv6')
  return false
}
