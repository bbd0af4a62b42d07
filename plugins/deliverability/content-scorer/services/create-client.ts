// The client of each scoring service, behind one interface.
import { randomUUID } from 'node:crypto'
import type { Host } from '@keelson/sdk'
import type { ScorerConfig } from '../config.ts'
import { errors } from '../errors.ts'
import type { ContentScorerClient } from './content-service.ts'
import { fieldsOf, textOf } from './json-fields.ts'
import { readCheck, readMailbox, readPoints } from './read-scores.ts'

/** What a client is made with. */
export interface ClientOptions extends Pick<ScorerConfig, 'service' | 'apiKey' | 'baseUrl'> {
  /** Makes the calls, as `host.fetch`. */
  readonly fetch: Host['fetch']
}

const ADDRESSES = {
  checks: 'https://mail-tester.com/api',
  mailbox: 'https://www.mail-tester.com',
  spamassassin: 'https://spamcheck.postmarkapp.com'
} as const
const TIMEOUT_MS = 15_000

type Call = (
  path: string,
  init: { readonly method?: string; readonly body?: object },
  signal: AbortSignal
) => Promise<unknown>

/** undefined when the service has no key, or `spamassassin` no address. */
export function createContentScorerClient(options: ClientOptions): ContentScorerClient | undefined {
  const { service, apiKey = '', baseUrl = '' } = options
  if (service === 'spamassassin') {
    return apiKey === '' && baseUrl === '' ? undefined : spamAssassin(callOf(options))
  }
  if (apiKey === '') return undefined
  const call = callOf(options)
  return service === 'mailbox' ? mailbox(call, apiKey) : checks(call, encodeURIComponent(apiKey))
}

function callOf({ fetch, service, apiKey = '', baseUrl }: ClientOptions): Call {
  const base = (baseUrl || ADDRESSES[service]).replace(/\/+$/, '')
  return async (path, { method = 'GET', body }, signal) => {
    try {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
      })
      if (answer.status >= 300) throw new Error(`it answered ${answer.status}`)
      return await answer.json()
    } catch (error) {
      // Without its cause: the address may hold the key.
      throw errors.SCR_CALL_FAILED({ reason: withoutKey(reasonOf(error), apiKey) })
    }
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

function withoutKey(text: string, key: string): string {
  if (key === '') return text.slice(0, 300)
  return text.replaceAll(key, '[key]').replaceAll(encodeURIComponent(key), '[key]').slice(0, 300)
}

/** `POST /<key>/new` gives an id and an address to mail; `GET /<key>/<id>` the result. */
const checks = (call: Call, key: string): ContentScorerClient => ({
  async start(_mail, { signal }) {
    const fields = fieldsOf(await call(`/${key}/new`, { method: 'POST', body: {} }, signal))
    const checkId = textOf(fields['id'] ?? fields['checkId'])
    const address = textOf(fields['address'] ?? fields['email'])
    if (checkId === null) throw errors.SCR_ANSWER_INVALID({ problem: 'id' })
    if (address === null) throw errors.SCR_ANSWER_INVALID({ problem: 'address' })
    return { checkId, address, score: null }
  },
  result: async (checkId, signal) =>
    readCheck(await call(`/${key}/${encodeURIComponent(checkId)}`, {}, signal))
})

/** Mail to `<user>-<id>@` the service; its result is a JSON page of that name. */
const mailbox = (call: Call, user: string): ContentScorerClient => ({
  async start() {
    const checkId = randomUUID().replaceAll('-', '').slice(0, 16)
    return { checkId, address: `${user}-${checkId}@mail-tester.com`, score: null }
  },
  result: async (checkId, signal) =>
    readMailbox(await call(`/${encodeURIComponent(`${user}-${checkId}`)}&format=json`, {}, signal))
})

/** `POST /filter` judges at once: no mail is sent. */
const spamAssassin = (call: Call): ContentScorerClient => ({
  async start(mail, { signal }) {
    const body = { email: Buffer.from(await mail.message()).toString('utf8'), options: 'long' }
    const score = readPoints(await call('/filter', { method: 'POST', body }, signal))
    if (score === null) throw errors.SCR_ANSWER_INVALID({ problem: 'score' })
    return { checkId: randomUUID(), address: null, score }
  },
  result: async () => null
})
