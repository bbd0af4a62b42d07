// Reads a domain: version 2 of the API, then version 1 for domains that version 2 does not show.
import type { Host } from '@keelson/sdk'
import type { Access } from '../config.ts'
import { errors } from '../errors.ts'
import { createAccessTokens } from './access-token.ts'
import type { DomainStats } from './day-stats.ts'
import { fieldsOf, textOf } from './json-fields.ts'
import { readTrafficStats } from './read-v1.ts'
import { type AskedDays, readCompliance, readStats, statsQueries } from './read-v2.ts'

/** Reads Postmaster Tools. */
export interface PostmasterClient {
  /** @throws PST_TOKEN_REFUSED, PST_CALL_FAILED, PST_ANSWER_INVALID, and what fetch rejects with. */
  read(domain: string, now: Date, signal: AbortSignal): Promise<DomainStats>
}

const DAYS = 30
const DAY_MS = 86_400_000
const TIMEOUT_MS = 15_000

interface Call {
  readonly domain: string
  readonly now: Date
  readonly signal: AbortSignal
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

type Send = (call: Call, path: string, body?: object) => Promise<Answer>

export function createPostmasterClient(
  fetch: Host['fetch'],
  { apiUrl, credentials }: Access
): PostmasterClient {
  const tokens = credentials && createAccessTokens(fetch, credentials)
  const sendOnce: Send = async ({ now, signal }, path, body) => {
    const answer = await fetch(`${apiUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(tokens && { authorization: `Bearer ${await tokens.get(now, signal)}` }),
        ...(body !== undefined && { 'content-type': 'application/json' })
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    })
    return { status: answer.status, body: await answer.json().catch(() => undefined) }
  }
  const send: Send = async (...call) => {
    const answer = await sendOnce(...call)
    if (answer.status !== 401 || tokens === undefined) return answer
    tokens.forget()
    return sendOnce(...call)
  }
  return {
    async read(domain, now, signal) {
      const call = { domain, now, signal }
      return (await readNew(send, call)) ?? readOld(send, call)
    }
  }
}

/** undefined when version 2 does not show the domain. */
async function readNew(send: Send, call: Call): Promise<DomainStats | undefined> {
  const base = `/v2/domains/${encodeURIComponent(call.domain)}`
  const days: AskedDays = {
    first: new Date(call.now.getTime() - DAYS * DAY_MS),
    last: call.now
  }
  const [figures, details] = statsQueries(days)
  const answer = await send(call, `${base}/domainStats:query`, figures)
  if (isHidden(answer)) return undefined
  const needed = bodyOf(answer, call)
  const [more, compliance] = await Promise.all([
    send(call, `${base}/domainStats:query`, details),
    send(call, `${base}/complianceStatus`)
  ])
  return {
    source: 'v2',
    days: readStats([needed, more.status === 200 ? more.body : undefined]),
    compliance: readCompliance(compliance.status === 200 ? compliance.body : undefined)
  }
}

async function readOld(send: Send, call: Call): Promise<DomainStats> {
  const path = `/v1/domains/${encodeURIComponent(call.domain)}/trafficStats?pageSize=${DAYS}`
  const body = bodyOf(await send(call, path), call)
  return { source: 'v1', days: readTrafficStats(body), compliance: [] }
}

function isHidden({ status, body }: Answer): boolean {
  if (status === 404) return true
  return status === 403 && fieldsOf(fieldsOf(body)['error'])['status'] === 'PERMISSION_DENIED'
}

function bodyOf({ status, body }: Answer, { domain }: Call): unknown {
  if (status !== 200) {
    const { status: name, message } = fieldsOf(fieldsOf(body)['error'])
    const reason = textOf(name) ?? textOf(message) ?? 'no reason'
    throw errors.PST_CALL_FAILED({ status, domain, reason })
  }
  if (typeof body !== 'object' || body === null) throw errors.PST_ANSWER_INVALID({ domain })
  return body
}
