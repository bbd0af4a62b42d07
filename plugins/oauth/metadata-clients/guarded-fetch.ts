// Fetches a JSON document of a stranger: https, no redirects, bounded, from public addresses only.
import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import type { MetadataClientSettings } from '../config/settings.ts'
import { isLiftedHost } from './allowed-hosts.ts'
import { isPublicAddress } from './special-addresses.ts'

export type Fetched =
  | {
      readonly kind: 'document'
      readonly json: Readonly<Record<string, unknown>>
      readonly etag: string | undefined
      readonly freshMs: number | undefined
    }
  | { readonly kind: 'unchanged'; readonly freshMs: number | undefined }
  | { readonly kind: 'failed'; readonly reason: string }

export type FetchDocument = (address: string, etag?: string) => Promise<Fetched>

const DEFAULTS = { allowedHosts: [] as readonly string[], fetchTimeoutMs: 5000, maxBytes: 5120 }

/** Makes the fetcher of an instance; it connects when it is first used. */
export function createGuardedFetch(
  settings: MetadataClientSettings | undefined,
  /** Further authorities to trust, for tests. */
  tls: { readonly ca?: string } = {}
): FetchDocument {
  const { allowedHosts, fetchTimeoutMs, maxBytes } = settings ?? DEFAULTS
  const guarded = agentOf(guardedConnector({ timeout: fetchTimeoutMs, ...tls }))
  const lifted = agentOf(buildConnector({ timeout: fetchTimeoutMs, ...tls }))
  return async (address, etag) => {
    if (!URL.canParse(address)) return failed('the address is none')
    const url = new URL(address)
    if (url.protocol !== 'https:') return failed('the address is not https')
    const dispatcher = isLiftedHost(url, allowedHosts) ? lifted : guarded
    try {
      const signal = AbortSignal.timeout(fetchTimeoutMs)
      const headers = {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(etag !== undefined && { 'if-none-match': etag })
      }
      const response = await request(url, { method: 'GET', headers, dispatcher, signal })
      return await readResponse(response, maxBytes)
    } catch (error) {
      return failed(`the host could not be asked (${nameOf(error)})`)
    }
  }
}

const failed = (reason: string): Fetched => ({ kind: 'failed', reason })

function nameOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown')
}

const agentOf = (connect: buildConnector.connector): Dispatcher =>
  new Agent({ connect, connections: 2, pipelining: 1, keepAliveTimeout: 1000 })

class RefusedAddress extends Error {
  readonly code = 'REFUSED_ADDRESS'
}

/** Refuses before connecting, by every address of the name, and again by the peer that answered. */
function guardedConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: publicLookup } as typeof options)
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !isPublicAddress(host)) {
      callback(new RefusedAddress('the address is not public'), null)
      return
    }
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      if (isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket)
      socket.destroy()
      callback(new RefusedAddress('the peer is not public'), null)
    })
  }
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0)
    const [first] = addresses
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new RefusedAddress('an address of the name is not public'), '', 0)
    }
    if (options.all === true) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

async function readResponse(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  maxBytes: number
): Promise<Fetched> {
  const freshMs = freshnessOf(textOf(headers['cache-control']))
  if (statusCode === 304) {
    await body.dump()
    return { kind: 'unchanged', freshMs }
  }
  const type = textOf(headers['content-type'])?.split(';')[0]?.trim().toLowerCase() ?? ''
  const problem =
    statusCode !== 200
      ? `the host answered ${statusCode}`
      : type !== 'application/json' && !/^application\/[a-z0-9.+-]+\+json$/.test(type)
        ? 'the document is not JSON'
        : undefined
  const text = problem === undefined ? await readText(body, maxBytes) : undefined
  if (text === undefined) {
    // Its error tells of our own hanging up; without a listener it would end the process.
    body.once('error', () => undefined).destroy()
    return failed(problem ?? 'the document is too large')
  }
  try {
    const json: unknown = JSON.parse(text)
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      return failed('the document is no object')
    }
    const fields = json as Readonly<Record<string, unknown>>
    return { kind: 'document', json: fields, etag: textOf(headers['etag']), freshMs }
  } catch {
    return failed('the document is not JSON')
  }
}

async function readText(
  body: AsyncIterable<Buffer>,
  maxBytes: number
): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header

const MIN_FRESH_MS = 30_000
const MAX_FRESH_MS = 86_400_000

/** How long a document is fresh by its Cache-Control: half a minute at least, a day at most. */
export function freshnessOf(cacheControl: string | undefined): number | undefined {
  if (cacheControl === undefined) return undefined
  if (/\b(no-store|no-cache)\b/i.test(cacheControl)) return MIN_FRESH_MS
  const [, seconds] = /\bmax-age="?([0-9]{1,10})/i.exec(cacheControl) ?? []
  if (seconds === undefined) return undefined
  return Math.min(MAX_FRESH_MS, Math.max(MIN_FRESH_MS, Number(seconds) * 1000))
}
