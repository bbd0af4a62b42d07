// The command `setup-dmarc`: prints or publishes the DMARC records of domains.
import {
  type CommandAnswer,
  type CommandCall,
  type Environment,
  environmentOf,
  type PluginCommand
} from '@keelson/sdk'
import type { DnsRecord } from '../dns/judge-domain.ts'
import { publishRecord } from './cloudflare.ts'
import { readRequest, recordsFor } from './record-to-publish.ts'

const text = (description: string, placeholder: string) =>
  ({ type: 'string', description, placeholder }) as const

const CALL_MS = 60_000

/** Running it again changes nothing where the records are right. */
export const setupDmarc: PluginCommand = {
  name: 'setup-dmarc',
  summary: 'Prints or publishes the DMARC records of domains.',
  options: {
    domain: {
      ...text('The domain. May be repeated, or comma-separated.', 'DOMAIN'),
      multiple: true
    },
    'rua-mailbox': { ...text('Where aggregate reports go.', 'ADDRESS'), multiple: true },
    'ruf-mailbox': { ...text('Where failure reports go.', 'ADDRESS'), multiple: true },
    policy: text('none (default), quarantine or reject.', 'POLICY'),
    pct: text('The share of failing mail, 1 to 100 (default). New receivers ignore it.', 'NUMBER'),
    aspf: text('Alignment of SPF: r (default) or s.', 'MODE'),
    adkim: text('Alignment of DKIM: r (default) or s.', 'MODE'),
    cloudflare: {
      type: 'boolean',
      description: 'Publish at Cloudflare, with the token in CLOUDFLARE_API_TOKEN.'
    },
    'cloudflare-zone': text('The zone, when it is not a parent of the domain.', 'ZONE')
  },
  database: false,
  run: (_host, call) => run(call, environmentOf(process.env))
}

async function run(
  { options, signal }: CommandCall,
  environment: Environment
): Promise<CommandAnswer> {
  const list = (name: string) => [options[name] ?? []].flat().map(String)
  const one = (name: string, otherwise: string) => list(name)[0] ?? otherwise
  const request = readRequest({
    domain: list('domain'),
    ruaMailbox: list('rua-mailbox'),
    rufMailbox: list('ruf-mailbox'),
    policy: one('policy', 'none'),
    pct: one('pct', '100'),
    aspf: one('aspf', 'r'),
    adkim: one('adkim', 'r')
  })
  if ('wrongUse' in request) return request
  const records = recordsFor(request)
  if (options['cloudflare'] !== true) return printed(records)
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_BASE_URL: baseUrl } = environment
  if (!token) return { wrongUse: 'CLOUDFLARE_API_TOKEN is missing.' }
  const zone = list('cloudflare-zone')[0]
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)])
  const published = []
  for (const record of records) {
    published.push(await publishRecord({ token, baseUrl, zone, fetch, signal: limit }, record))
  }
  const lines = published.map(({ state, name, value }) => `${state}: ${name} TXT "${value}"`)
  return { json: { records: published }, text: lines.join('\n') }
}

function printed(records: readonly DnsRecord[]): CommandAnswer {
  const lines = records.map(({ name, value }) => `${name} TXT "${value}"`)
  return { json: { records }, text: ['Publish these records:', ...lines].join('\n') }
}
