// The hosts that metadata documents may come from: those of the config, and those that administrators allowed since.
import type { Collection } from 'mongodb'
import type { Settings } from '../config/settings.ts'
import { errors } from '../errors.ts'
import type { StoredState } from '../storage/rows.ts'
import { isHostName } from './allowed-hosts.ts'

/** The hosts of metadata documents. */
export interface HostList {
  readonly isAny: boolean
  /** All that are allowed by name; a host that another process allowed is seen within seconds. */
  names(): Promise<readonly string[]>
  /** Those that administrators allowed. */
  added(): Promise<readonly string[]>
  /** @throws OAU_REQUEST_INVALID for text that is not a host */
  allow(host: string): Promise<readonly string[]>
  /** Clients of the host that are known stay; disable them one by one. */
  remove(host: string): Promise<readonly string[]>
}

const ROW = 'allowed-hosts'
const FRESH_MS = 5000
const MAX_HOSTS = 200

export function createHostList(
  { metadataClients, now }: Pick<Settings, 'metadataClients' | 'now'>,
  state: Collection<StoredState>
): HostList {
  const configured = metadataClients?.allowedHosts ?? []
  let read: { readonly at: number; readonly hosts: readonly string[] } | undefined
  const added = async (): Promise<readonly string[]> => {
    const at = now().getTime()
    if (read === undefined || at < read.at || at - read.at >= FRESH_MS) {
      read = { at, hosts: (await state.findOne({ _id: ROW }))?.hosts ?? [] }
    }
    return read.hosts
  }
  const change = async (update: object): Promise<readonly string[]> => {
    await state.updateOne({ _id: ROW }, update, { upsert: true })
    read = undefined
    return added()
  }
  return {
    isAny: metadataClients?.isAny ?? false,
    names: async () => [...configured, ...(await added())],
    added,
    async allow(given) {
      const host = given.trim().toLowerCase()
      if (!isHostName(host)) {
        throw errors.OAU_REQUEST_INVALID({ path: 'host', problem: 'must be a host or host:port' })
      }
      const known = await added()
      if (known.includes(host)) return known
      if (known.length >= MAX_HOSTS) {
        const problem = `would be more than ${MAX_HOSTS}: set clientIdMetadata.hosts instead`
        throw errors.OAU_REQUEST_INVALID({ path: 'host', problem })
      }
      return change({ $addToSet: { hosts: host } })
    },
    remove: (host) => change({ $pull: { hosts: host } })
  }
}
