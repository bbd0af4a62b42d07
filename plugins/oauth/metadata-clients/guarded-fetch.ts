// Fetches a JSON document of a client: https, no redirects, bounded, from public addresses only.
import { createPublicFetch, namedAddresses } from '@keelson/sdk/network'
import type { Headers, Response, fetch as undiciFetch } from 'undici'
import type { MetadataClientSettings } from '../config/settings.ts'

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

/** What bounds a fetch. */
export type FetchLimits = Pick<
  MetadataClientSettings,
  'allowedHosts' | 'fetchTimeoutMs' | 'maxBytes'
>

/** What a fetcher works with besides the settings. */
export interface GuardedFetchParts {
  /** The host's fetch for public addresses. Default: one that is made from the settings. */
  readonly fetchPublic?: typeof undiciFetch | undefined
  /** Further authorities to trust, for tests. */
  readonly ca?: string
}

/** Makes the fetcher of an instance; it connects when it is first used. */
export function createGuardedFetch(
  settings: FetchLimits | undefined,
  { fetchPublic, ca }: GuardedFetchParts = {}
): FetchDocument {
  const { allowedHosts, fetchTimeoutMs, maxBytes } = settings ?? DEFAULTS
  const fetch =
    fetchPublic ??
    createPublicFetch({
      allow: namedAddresses(allowedHosts),
      timeoutMs: fetchTimeoutMs,
      caller: { caller: 'The fetch of client metadata' },
      ...(ca !== undefined && { ca })
    })
  return async (address, etag) => {
    if (!URL.canParse(address)) return failed('the address is invalid')
    if (new URL(address).protocol !== 'https:') return failed('the address is not https')
    try {
      const signal = AbortSignal.timeout(fetchTimeoutMs)
      const headers = {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(etag !== undefined && { 'if-none-match': etag })
      }
      const response = await fetch(address, { headers, signal, redirect: 'manual' })
      return await readResponse(response, maxBytes)
    } catch (error) {
      return failed(`the host could not be asked (${nameOf(error)})`)
    }
  }
}

const failed = (reason: string): Fetched => ({ kind: 'failed', reason })

/** The code of an error, or of what fetch hides behind "fetch failed". */
function nameOf(error: unknown): string {
  const { code, name, cause } = (error ?? {}) as { code?: unknown; name?: unknown; cause?: unknown }
  const inner = (cause ?? {}) as { code?: unknown }
  return String(inner.code ?? (typeof code === 'string' ? code : name) ?? 'unknown')
}

async function readResponse(response: Response, maxBytes: number): Promise<Fetched> {
  const { status, headers } = response
  const freshMs = freshnessOf(headers.get('cache-control') ?? undefined)
  if (status === 304) {
    await response.body?.cancel()
    return { kind: 'unchanged', freshMs }
  }
  const problem =
    status !== 200
      ? `the host answered ${status}`
      : isJson(headers)
        ? undefined
        : 'the document is not JSON'
  if (problem !== undefined) {
    await response.body?.cancel()
    return failed(problem)
  }
  const text = await readText(response, maxBytes)
  if (text === undefined) return failed('the document is too large')
  try {
    const json: unknown = JSON.parse(text)
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      return failed('the document is not an object')
    }
    const fields = json as Readonly<Record<string, unknown>>
    return { kind: 'document', json: fields, etag: headers.get('etag') ?? undefined, freshMs }
  } catch {
    return failed('the document is not JSON')
  }
}

function isJson(headers: Headers): boolean {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  return type === 'application/json' || /^application\/[a-z0-9.+-]+\+json$/.test(type)
}

/** Undefined when it is longer than allowed; leaving the loop ends the transfer. */
async function readText({ body }: Response, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

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
