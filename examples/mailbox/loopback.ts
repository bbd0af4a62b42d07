// Whether a request comes from this machine.
import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** For the address of a request, as `request.ip`. */
export function isLoopback(ip: string): boolean {
  const address = ip.replace(/^::ffff:/, '')
  const family = isIP(address)
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
