// What a network address counts as in a rate limit: one key for each customer of a network.

/**
 * The key of an address for a rate limit. An IPv6 address counts as its /64 network, because one
 * customer gets all of it; an IPv4 address, also one written as IPv6, counts as itself.
 */
export function addressKey(ip: string): string {
  const plain = ip.split('%', 1)[0] ?? ip
  if (!plain.includes(':')) return plain
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)
  if (mapped?.[1] !== undefined) return mapped[1]
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')
}
