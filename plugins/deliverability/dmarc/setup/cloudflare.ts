// Publishes DNS records at Cloudflare: reads first, and writes only what differs.

import { errors } from '../errors.ts'

/** Where to publish, and with what. */
export interface CloudflareOptions {
  readonly token: string
  /** Default: Cloudflare's own. */
  readonly baseUrl?: string | undefined
  /** The zone of all records. Default: the longest zone that a name is in. */
  readonly zone?: string | undefined
  readonly fetch: typeof globalThis.fetch
  readonly signal: AbortSignal
}

/** A record to publish: a DMARC record, or a CNAME record. */
export interface RecordToPublish {
  readonly name: string
  readonly type: 'TXT' | 'CNAME'
  readonly value: string
}

/** What became of a record. */
export type Published = RecordToPublish & {
  readonly state: 'unchanged' | 'created' | 'changed'
}

const BASE_URL = 'https://api.cloudflare.com/client/v4'

interface StoredRecord {
  readonly id: string
  readonly content: string
  readonly proxied?: boolean
}

/**
 * Makes the record be there once. A CNAME record is not proxied: mail services must see its target.
 *
 * @throws DMR_CLOUDFLARE
 */
export async function publishRecord(
  options: CloudflareOptions,
  record: RecordToPublish
): Promise<Published> {
  const zone = await zoneOf(options, record.name)
  const path = `/zones/${zone}/dns_records`
  const query = new URLSearchParams({ type: record.type, name: record.name })
  const found = await call<readonly StoredRecord[]>(options, 'GET', `${path}?${query}`)
  // Other TXT records of the name are not ours to change.
  const ours = found.filter(
    ({ content }) => record.type === 'CNAME' || plain(content).startsWith('v=DMARC1')
  )
  const [first, ...more] = ours
  if (first === undefined) {
    await call(options, 'POST', path, bodyOf(record))
    return { ...record, state: 'created' }
  }
  const isSame = holds(first, record)
  if (isSame && more.length === 0) return { ...record, state: 'unchanged' }
  if (!isSame) await call(options, 'PUT', `${path}/${first.id}`, bodyOf(record))
  for (const { id } of more) await call(options, 'DELETE', `${path}/${id}`)
  return { ...record, state: 'changed' }
}

function bodyOf({ name, type, value }: RecordToPublish) {
  if (type === 'TXT') return { type, name, content: `"${value}"`, ttl: 1 }
  return { type, name, content: value, ttl: 1, proxied: false }
}

function holds({ content, proxied }: StoredRecord, { type, value }: RecordToPublish): boolean {
  if (type === 'TXT') return plain(content) === value
  return proxied !== true && host(content) === host(value)
}

async function zoneOf(options: CloudflareOptions, name: string): Promise<string> {
  const labels = name.split('.')
  const parents = labels.map((_, at) => labels.slice(at).join('.')).slice(0, -1)
  for (const zone of options.zone === undefined ? parents : [options.zone]) {
    // Names with an underscore are never zones.
    if (zone.startsWith('_')) continue
    const query = new URLSearchParams({ name: zone })
    const [found] = await call<readonly { readonly id: string }[]>(
      options,
      'GET',
      `/zones?${query}`
    )
    if (found !== undefined) return found.id
  }
  throw errors.DMR_CLOUDFLARE({ problem: `no zone of this token holds ${name}` })
}

async function call<T>(
  { token, baseUrl = BASE_URL, fetch, signal }: CloudflareOptions,
  method: string,
  path: string,
  body?: object
): Promise<T> {
  const answer = await fetch(`${baseUrl.replace(/\/$/, '')}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal
  })
  const read = (await answer.json().catch(() => ({}))) as {
    readonly result?: T
    readonly errors?: readonly { readonly message?: string }[]
  }
  if (answer.ok && read.result !== undefined && read.result !== null) return read.result
  const said = read.errors?.[0]?.message ?? 'no reason'
  throw errors.DMR_CLOUDFLARE({ problem: `${method} answers ${answer.status}: ${said}` })
}

const plain = (content: string) => content.replace(/^"|"$/g, '').replaceAll('" "', '')
const host = (name: string) => name.replace(/\.$/, '').toLowerCase()
