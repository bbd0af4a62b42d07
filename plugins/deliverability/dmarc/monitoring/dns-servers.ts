// The setting `dnsServers`. Pure.
import { isIP } from 'node:net'
import { errors } from '../errors.ts'

/** The servers; undefined for those of the system, null when DNS is off. @throws DMR_DNS_SERVERS */
export function readServers(setting: string | undefined): readonly string[] | undefined | null {
  if (setting === undefined) return undefined
  const servers = setting.split(',').map((one) => one.trim())
  const named = servers.filter((one) => one !== '')
  for (const server of named) {
    const [, six, four] = /^(?:\[(.+)\](?::\d{1,5})?|([^:]+)(?::\d{1,5})?)$/.exec(server) ?? []
    if (isIP(six ?? four ?? server) === 0) throw errors.DMR_DNS_SERVERS({ server })
  }
  return named.length === 0 ? null : named
}
