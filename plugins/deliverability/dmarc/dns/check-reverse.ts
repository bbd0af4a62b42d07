// Whether the addresses that send mail have names that lead back to them.
import ipaddr from 'ipaddr.js'
import type { Dns } from './dns-lookup.ts'

/** Reverse DNS of an address: it has a name, and the name has the address. */
export interface ReverseFacts {
  readonly ip: string
  readonly name: string | null
  readonly state: 'ok' | 'missing' | 'mismatch'
}

const MOST_ADDRESSES = 32

/** One fact for each address; those that no server answered for are left out. */
export async function checkReverse(
  dns: Pick<Dns, 'names' | 'addresses'>,
  ips: readonly string[]
): Promise<readonly ReverseFacts[]> {
  const found = await Promise.all(ips.slice(0, MOST_ADDRESSES).map((ip) => checkAddress(dns, ip)))
  return found.flat()
}

async function checkAddress(
  dns: Pick<Dns, 'names' | 'addresses'>,
  ip: string
): Promise<readonly ReverseFacts[]> {
  const names = await dns.names(ip)
  if (names.kind === 'failed') return []
  if (names.kind === 'absent') return [{ ip, name: null, state: 'missing' }]
  for (const name of names.values) {
    const back = await dns.addresses(name)
    if (back.kind === 'failed') return []
    if (back.kind === 'found' && back.values.some((one) => isSame(one, ip))) {
      return [{ ip, name, state: 'ok' }]
    }
  }
  return [{ ip, name: names.values[0] ?? null, state: 'mismatch' }]
}

const isSame = (a: string, b: string): boolean =>
  ipaddr.process(a).toNormalizedString() === ipaddr.process(b).toNormalizedString()
