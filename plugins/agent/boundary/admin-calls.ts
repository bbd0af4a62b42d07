// What calls of the admin API do, where their bodies decide it, and whom they mail. Pure.
import type { Effect } from '@keelson/sdk'

interface AdminCall {
  readonly method: string
  readonly route: string
  readonly effect: Effect
  readonly body?: unknown
}

type Reader<T> = (body: Readonly<Record<string, unknown>>) => T | undefined

/** Calls whose body may make them do less than their operation can. */
const LESS: Readonly<Record<string, Reader<Effect>>> = {
  // Publishing enables a flow unless the body says otherwise.
  'POST /flows/:slug/publish': ({ enable }) => (enable === false ? 'change' : undefined),
  // One of the verdicts mails the recipient again.
  'POST /sends/:id/resolve': ({ verdict }) =>
    verdict === 'sent' || verdict === 'not_sent' ? 'change' : undefined
}

/** Who is mailed, where the body names an address. */
const RECIPIENTS: Readonly<Record<string, Reader<unknown>>> = {
  'POST /templates/:slug/send-test': ({ to }) => to
}

/** What a call does. */
export const effectOfCall = ({ method, route, effect, body }: AdminCall): Effect =>
  LESS[`${method} ${route}`]?.(fieldsOf(body)) ?? effect

/** The address that a call mails; empty where the body names none, undefined where it cannot name one. */
export function recipientOf({ method, route, body }: AdminCall): string | undefined {
  const read = RECIPIENTS[`${method} ${route}`]
  if (read === undefined) return undefined
  const recipient = read(fieldsOf(body))
  return typeof recipient === 'string' ? recipient : ''
}

const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
