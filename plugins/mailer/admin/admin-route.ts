// A route of the admin API as data: what it takes, and the operation behind it.
import { type Static, type TSchema, Type } from '@keelson/sdk'
import type { EventRegistry } from '../campaigns/flows/event-registry.ts'
import { checkedInput } from '../ledger/checked-input.ts'
import type { MailerContext } from '../ledger/context.ts'
import { defined } from '../ledger/defined.ts'
import type { Acting } from '../ledger/template-input.ts'

/** What an administrator may be allowed to do beyond reading. */
export type AdminPermission = 'canPublish' | 'canSendBroadcasts' | 'canManageSuppressions'

/** A call of a route. */
export interface AdminCall {
  readonly context: MailerContext
  readonly events: EventRegistry
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  /** As parsed; operations check it. */
  readonly body: unknown
  /** The revision that the caller edited, of `If-Match`; NaN for one that no row can have. */
  readonly ifRevision?: number
  /** Who calls, for the audit log. */
  readonly acting: Acting
}

/** What a route answers. */
export interface AdminAnswer {
  /** Default 200. */
  readonly status?: number
  readonly body: unknown
  /** Sent as ETag, for `If-Match` of the next change. */
  readonly revision?: number | undefined
  /** The next page of a list whose body is an array. */
  readonly nextCursor?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** A refusal of an operation: `code` is the word that the answer carries. */
export interface AdminRefusal {
  readonly ok: false
  readonly code: string
  readonly message?: string
}

/** A route below `/api`. */
export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Shown in /openapi.json. */
  readonly summary: string
  readonly permission?: AdminPermission
  /** Of the answer that went through. What it does not name is left out. */
  readonly response?: TSchema
  /** Takes `text/csv`: the body is a stream of bytes. */
  readonly takesCsv?: boolean
  handler(call: AdminCall): Promise<AdminAnswer | AdminRefusal>
}

/** The slug in the address. */
export const slugOf = ({ params }: Pick<AdminCall, 'params'>): string => params['slug'] ?? ''

/** The id in the address. */
export const idOf = ({ params }: Pick<AdminCall, 'params'>): string => params['id'] ?? ''

/** The answer of an operation that went through, or its refusal as it is. */
export function answered<R extends { readonly ok: boolean }>(
  result: R,
  bodyOf: (result: Extract<R, { readonly ok: true }>) => unknown,
  status = 200
): AdminAnswer | AdminRefusal {
  if (!result.ok) return result as unknown as AdminRefusal
  const { revision } = result as { readonly revision?: number }
  return { status, body: bodyOf(result as Extract<R, { readonly ok: true }>), revision }
}

/** The revision that a change is for, as an option of operations. */
export const editOf = ({ ifRevision }: AdminCall) => defined({ ifRevision })

/** What is missing. */
export function notFound(what: string): AdminRefusal {
  return { ok: false, code: 'not_found', message: `${what} was not found.` }
}

/** The body, or a refusal of it. @throws MLR_INPUT_INVALID */
export const bodyOf = <T extends TSchema>({ body }: AdminCall, schema: T): Static<T> =>
  checkedInput('request', schema, body)

const state = Type.Union([
  Type.Enum(['draft', 'published']),
  Type.Refine(
    Type.String(),
    (text) => /^[1-9][0-9]{0,8}$/.test(text),
    () => 'must be a version'
  )
])
const compared = Type.Object({ from: state, to: state })

/** What a comparison is of: `from` and `to` of the query, a version, `draft` or `published`. */
export function comparedOf({ query }: AdminCall) {
  const { from = 'published', to = 'draft' } = query
  const asked = checkedInput('diff', compared, { from, to })
  const stateOf = (text: string) => (text === 'draft' || text === 'published' ? text : Number(text))
  return [stateOf(asked.from), stateOf(asked.to)] as const
}

/** The body as an object; anything else counts as empty, and the operation says what is missing. */
export function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? (body as Readonly<Record<string, unknown>>)
    : {}
}

/** A number of the query; undefined when it is left out. NaN is for the operation to refuse. */
export function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

/** Limit and cursor of a list. */
export const pageOf = ({ limit, cursor }: Readonly<Record<string, string | undefined>>) =>
  defined({ limit: numberOf(limit), cursor })

/** A time of the body; an invalid one stays invalid, for the operation to refuse. */
export function dateOf(value: unknown): Date | undefined {
  if (value === undefined || value === null) return undefined
  return new Date(typeof value === 'string' ? value : Number.NaN)
}
