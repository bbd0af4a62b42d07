// Who an address belongs to: labels by address and by range, from the config and from operators. Pure.
import ipaddr from 'ipaddr.js'

/** A label of the config. */
export interface KnownSource {
  /** In its usual form, as `sourceKey` gives it. */
  readonly ip: string
  readonly label: string
  readonly ignored: boolean
}

/** What is known about an address. */
export interface SourceTag {
  readonly label: string
  /** Its failures are expected. */
  readonly ignored: boolean
  /** The operator's word is worth more than the config's. */
  readonly tagSource: 'config' | 'db'
}

/** Finds the tag of an address; undefined when there is none. */
export type FindTag = (ip: string) => SourceTag | undefined

interface TaggedRange {
  readonly network: ipaddr.IPv4 | ipaddr.IPv6
  readonly bits: number
  readonly tag: SourceTag
}

/**
 * An address or a range in its one usual form: `2001:0db8::1` becomes `2001:db8::1`, `192.0.2.7/24` becomes
 * `192.0.2.0/24`, and a range of one address that address. Undefined when it is neither.
 */
export function sourceKey(text: string): string | undefined {
  const [address = '', bits, ...more] = text.trim().split('/')
  if (more.length > 0 || !ipaddr.isValid(address) || /^\d+$/.test(address)) return undefined
  const isFourPart = ipaddr.IPv6.isValid(address) || ipaddr.IPv4.isValidFourPartDecimal(address)
  if (!isFourPart) return undefined
  const parsed = ipaddr.process(address)
  if (bits === undefined) return parsed.toString()
  const most = parsed.kind() === 'ipv4' ? 32 : 128
  const length = /^\d{1,3}$/.test(bits) ? Number(bits) : -1
  if (length < 1 || length > most) return undefined
  if (length === most) return parsed.toString()
  const range = `${parsed}/${length}`
  const network =
    most === 32
      ? ipaddr.IPv4.networkAddressFromCIDR(range)
      : ipaddr.IPv6.networkAddressFromCIDR(range)
  return `${network}/${length}`
}

/**
 * Makes the look-up: the address itself comes before any range, the smaller range before the larger, and an
 * operator's tag before the config's for the same address or range.
 */
export function resolveSourceTags(
  known: readonly KnownSource[],
  stored: readonly { readonly _id: string; readonly label: string; readonly ignored: boolean }[]
): FindTag {
  const byKey = new Map<string, SourceTag>()
  for (const { ip, label, ignored } of known) {
    byKey.set(ip, { label, ignored, tagSource: 'config' })
  }
  for (const { _id, label, ignored } of stored) byKey.set(_id, { label, ignored, tagSource: 'db' })
  const ranges = [...byKey].flatMap(([key, tag]) => rangeOf(key, tag) ?? [])
  ranges.sort((a, b) => b.bits - a.bits)
  return (ip) => byKey.get(ip) ?? tagOfRange(ranges, ip)
}

function rangeOf(key: string, tag: SourceTag): TaggedRange | undefined {
  if (!key.includes('/')) return undefined
  const [network, bits] = ipaddr.parseCIDR(key)
  return { network, bits, tag }
}

function tagOfRange(ranges: readonly TaggedRange[], ip: string): SourceTag | undefined {
  if (ranges.length === 0 || !ipaddr.isValid(ip)) return undefined
  const address = ipaddr.parse(ip)
  return ranges.find(
    ({ network, bits }) =>
      network.kind() === address.kind() && address.match([network, bits] as never)
  )?.tag
}
