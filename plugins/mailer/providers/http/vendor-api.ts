// Calls a vendor's API: one request, one bounded answer, and whether the request can have arrived at all.
import { KeelsonError } from '@keelson/sdk'
import type { Response, fetch as undiciFetch } from 'undici'
import { codesOf } from '../error-codes.ts'
import { notTaken, vendorText } from '../provider-errors.ts'

/** Where a vendor is, and what must never be shown. */
export interface VendorApi {
  /** The name of the provider. */
  readonly provider: string
  readonly baseUrl: string
  readonly fetch: typeof undiciFetch
  readonly secrets: readonly string[]
}

/** One call. */
export interface VendorRequest {
  readonly method?: 'GET' | 'POST'
  /** Begins with a slash. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly signal: AbortSignal
}

/** What a vendor answered. */
export interface VendorAnswer {
  readonly status: number
  /** In lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** The parsed JSON; undefined when it is none, too long, or did not end. */
  readonly body: unknown
}

/** `lost`: the request may have arrived, and its answer did not. */
export type Exchange = VendorAnswer | { readonly lost: string }

/** No answer to one mail is longer. */
const MAX_ANSWER_BYTES = 1_048_576

/** Failures of resolving, connecting, TLS and of our own rules: the request never left. */
const NOT_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EPROTO|UND_ERR_CONNECT_TIMEOUT|UND_ERR_INVALID_ARG|ERR_(TLS|SSL)_\w+|CERT_\w+|\w*SELF_SIGNED_CERT\w*|UNABLE_TO_\w+|KRN_HOST_UNDECLARED|KRN_FETCH_PROTOCOL|KRN_FETCH_ADDRESS)$/

/** @throws MLR_MAIL_NOT_TAKEN when the request never left. */
export async function callVendor(api: VendorApi, request: VendorRequest): Promise<Exchange> {
  const { provider } = api
  const { method = 'POST', path, headers, body, signal } = request
  if (signal.aborted) throw notTaken({ provider, reason: 'The hand-over was given up.' })
  try {
    const init = { method, headers, signal, redirect: 'manual' as const, ...(body && { body }) }
    const response = await api.fetch(api.baseUrl.replace(/\/+$/, '') + path, init)
    return {
      status: response.status,
      headers: new Map(response.headers),
      body: await boundedJson(response)
    }
  } catch (error) {
    const reason = vendorText(sentenceOf(error), api.secrets)
    if (codesOf(error).some((code) => NOT_SENT.test(code))) throw notTaken({ provider, reason })
    return { lost: `No answer: ${reason}` }
  }
}

/** The status counts even when the rest of the answer cannot be read. */
async function boundedJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > MAX_ANSWER_BYTES) return undefined
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}

function sentenceOf(error: unknown): string {
  if (KeelsonError.is(error)) return error.message
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown }
  return [typeof code === 'string' ? code : '', message || 'unknown error'].join(' ').trim()
}
