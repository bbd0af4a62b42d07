// The settings of block lists, and what of them only code can check.
import { isIP } from 'node:net'
import { adminTenants } from '@keelson/mailer/contracts'
import { type Static, Type } from '@keelson/sdk'
import ipaddr from 'ipaddr.js'
import { errors } from './errors.ts'
import type { ConfiguredList } from './lists/configured-list.ts'
import { DEFAULT_DOMAIN_LISTS, DEFAULT_IP_LISTS } from './lists/list-profile.ts'

const listSchema = Type.Object(
  {
    host: Type.String({
      pattern: '^[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9])?$',
      form: 'a host name such as zen.spamhaus.org',
      maxLength: 190,
      description: 'The zone of the list, as zen.spamhaus.org.'
    }),
    label: Type.String({ minLength: 1, maxLength: 80 })
  },
  { additionalProperties: false }
)

/** The settings. */
export const configSchema = Type.Object(
  {
    domainLists: Type.Optional(
      Type.Array(listSchema, {
        maxItems: 32,
        description: 'Lists of domains. Default: Spamhaus DBL, SURBL, URIBL.'
      })
    ),
    ipLists: Type.Optional(
      Type.Array(listSchema, {
        maxItems: 32,
        description: 'Lists of addresses. Default: Spamhaus ZEN, Barracuda, SpamCop, PSBL.'
      })
    ),
    dedicatedIps: Type.Array(Type.String({ maxLength: 45 }), {
      default: [],
      maxItems: 256,
      description: 'Addresses that only you send from, IPv4 or IPv6.'
    }),
    intervalHours: Type.Number({
      default: 24,
      minimum: 0,
      maximum: 720,
      description: 'Hours between two checks of one target on one list. 0: off.'
    }),
    dnsServers: Type.Optional(
      Type.String({
        maxLength: 1000,
        description:
          'DNS servers to ask, comma-separated, as "192.0.2.1, [2001:db8::1]:5353". Default: those of the system. Empty: off.'
      })
    ),
    spamhausDqsKey: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9]*$',
        form: 'letters and digits',
        maxLength: 64,
        secret: true,
        description: 'Key of the Spamhaus Data Query Service.'
      })
    ),
    alertEmail: Type.Optional(
      Type.String({
        maxLength: 254,
        description: 'Where a mail goes when a target is listed or no longer listed.'
      })
    ),
    adminTenants
  },
  { additionalProperties: false }
)
export type BlockListsConfig = Static<typeof configSchema>

/** The settings as the checks use them. */
export interface Settings {
  readonly lists: readonly ConfiguredList[]
  /** In their shortest form. */
  readonly dedicatedIps: readonly string[]
  readonly intervalMs: number
  /** undefined: those of the system. */
  readonly dnsServers: readonly string[] | undefined
  readonly dqsKey: string | undefined
  readonly alertEmail: string | undefined
  /** False: nothing is asked. */
  readonly isOn: boolean
}

/** @throws BLL_CONFIG_INVALID for an address or a server that cannot be read. */
export function readSettings(config: BlockListsConfig): Settings {
  const { domainLists = DEFAULT_DOMAIN_LISTS, ipLists = DEFAULT_IP_LISTS } = config
  const { dnsServers, spamhausDqsKey, alertEmail, intervalHours } = config
  const servers = dnsServers === undefined ? undefined : readServers(dnsServers)
  const listed = (kind: ConfiguredList['kind']) => (list: Omit<ConfiguredList, 'kind'>) => ({
    ...list,
    host: list.host.toLowerCase(),
    kind
  })
  return {
    lists: [...domainLists.map(listed('domain')), ...ipLists.map(listed('ip'))],
    dedicatedIps: [...new Set(config.dedicatedIps.map(readAddress))],
    intervalMs: intervalHours * 3_600_000,
    dnsServers: servers,
    dqsKey: spamhausDqsKey || undefined,
    alertEmail: alertEmail || undefined,
    isOn: intervalHours > 0 && servers?.length !== 0
  }
}

function readAddress(text: string, index: number): string {
  if (isIP(text) !== 0) return ipaddr.process(text).toString()
  throw invalid(`dedicatedIps[${index}]`, 'must be an IPv4 or IPv6 address')
}

function readServers(text: string): readonly string[] {
  const servers = text
    .split(',')
    .map((server) => server.trim())
    .filter((server) => server !== '')
  for (const server of servers) {
    const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?)$/.exec(server) ?? []
    if (isIP(v6 ?? v4 ?? server) === 0) {
      throw invalid('dnsServers', 'must be addresses, each with a port if it has one')
    }
  }
  return servers
}

const invalid = (path: string, problem: string) =>
  errors.BLL_CONFIG_INVALID({ plugin: 'block-lists', path, problem })
