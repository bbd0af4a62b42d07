// The DNS name that asks a list about a target (RFC 5782). Pure.
import { createRequire } from 'node:module'
import { atFirstUse } from '@keelson/sdk'
import ipaddr from 'ipaddr.js'
import type { ConfiguredList } from './configured-list.ts'
import { profileOf } from './list-profile.ts'

const require = createRequire(import.meta.url)
/** The Public Suffix List, loaded by the first question about a domain. */
const suffixes = atFirstUse(() => require('tldts') as typeof import('tldts'))

/** The zone to ask. Lists of Spamhaus are asked at the Data Query Service when there is a key. */
export function zoneOf(host: string, dqsKey: string | undefined): string {
  const name = /^([a-z0-9-]+)\.spamhaus\.org$/.exec(host)?.[1]
  return dqsKey === undefined || name === undefined ? host : `${dqsKey}.${name}.dq.spamhaus.net`
}

/** What comes before the zone: reversed octets or nibbles of an address, or the domain. */
export function entryOf(target: string, { host, kind }: ConfiguredList): string {
  if (kind === 'ip') return reversedAddress(target)
  if (profileOf(host).asksRegistrable === undefined) return target
  return suffixes().getDomain(target) ?? target
}

/** `192.0.2.25` → `25.2.0.192`; IPv6 as 32 nibbles; an IPv4 address within IPv6 as IPv4. */
export function reversedAddress(address: string): string {
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return [...parsed.octets].reverse().join('.')
  return reversedNibbles(parsed.toByteArray())
}

function reversedNibbles(bytes: readonly number[]): string {
  const nibbles = bytes.flatMap((byte) => [byte >> 4, byte & 15])
  return nibbles
    .reverse()
    .map((nibble) => nibble.toString(16))
    .join('.')
}

/** `::ffff:7f00:<last>` as the test entries of IPv6 lists are written, which is not an IPv4 query. */
export const ipv6TestEntry = (last: 1 | 2): string =>
  reversedNibbles([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, last])
