// What calls of the admin API do, where their bodies decide it, and whom they mail. Pure.
import type { Effect } from '@keelson/sdk'

interface AdminCall {
  readonly method: string
  /** As it is declared, below the API. */
  readonly route: string
  readonly effect: Effect
  readonly body?: unknown
}

type Reader<T> = (body: Readonly<Record<string, unknown>>) => T | undefined

/** Calls that do less than their operation can. */
const LESS: Readonly<Record<string, Reader<Effect>>> = {
  // Publishing enables a flow unless the body says otherwise.
  'POST /flows/:slug/publish': ({ enable }) => (enable === false ? 'change' : undefined),
  // One of the verdicts mails the recipient again.
  'POST /sends/:id/resolve': ({ verdict }) =>
    verdict === 'sent' || verdict === 'not_sent' ? 'change' : undefined,
  // These mail a service that scores, and the operators, and no contact.
  'POST /templates/:slug/content-scorer-check': () => 'change',
  'POST /dmarc/alerts/test': () => 'change'
}

/** Who is mailed, where the body names an address. */
const RECIPIENTS: Readonly<Record<string, Reader<unknown>>> = {
  'POST /templates/:slug/send-test': ({ to }) => to
}

/** Changes of contacts: the agent API has its own, for test contacts alone. */
const OF_CONTACTS = /^\/contacts\//

/** What a call does. */
export function effectOfCall({ method, route, effect, body }: AdminCall): Effect {
  if (effect !== 'read' && OF_CONTACTS.test(route)) return 'release'
  return LESS[`${method} ${route}`]?.(fieldsOf(body)) ?? effect
}

/** The address that a call mails; empty where the body names none, undefined where it cannot name one. */
export function recipientOf({ method, route, body }: AdminCall): string | undefined {
  const read = RECIPIENTS[`${method} ${route}`]
  if (read === undefined) return undefined
  const recipient = read(fieldsOf(body))
  return typeof recipient === 'string' ? recipient : ''
}

const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
