// An operation of the agent API as data: its route, what it takes, and what it does.
import type { AdminMailer, MailerContext, Tick } from '@keelson/mailer'
import { schemaFault, type TSchema, Type } from '@keelson/sdk'
import type { MailHealth } from '@keelson/sdk/contracts/mailer-breaker'
import { type Refusal, refused } from '../answers/refusal.ts'
import type { Boundary } from '../boundary/test-contacts.ts'
import type { AgentScope, Caller } from '../tokens/token-register.ts'
import type { SendChanges } from '../waiting/send-changes.ts'

/** What operations work with. */
export interface AgentContext {
  readonly mailer: AdminMailer
  /** Of the mailer. */
  readonly context: MailerContext
  readonly tick: Tick
  readonly boundary: Boundary
  readonly version: string
  /** Of the circuit breaker; null without one. */
  health(): Promise<MailHealth | null>
  /** Wakes those who wait for a send. */
  readonly changes: SendChanges
  /** Aborted when the app closes, or when the caller is gone. */
  readonly signal: AbortSignal
}

/** A call of an operation: its values are checked. */
export interface OperationCall {
  readonly agent: AgentContext
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  // The schemas of the operation say what they hold.
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  readonly acting: { readonly actor: string; readonly ip?: string; readonly requestId?: string }
  /** Names the call to the same one before it: what it makes is keyed by it, so that nothing is made twice. */
  readonly callKey?: string
  /** Says how far a long operation is, to callers that want to know. */
  progress?(done: number, total: number, message: string): void
}

/** What an operation answers. */
export interface OperationAnswer {
  readonly ok: true
  /** Default 200. */
  readonly status?: number
  readonly body: unknown
  /** The next page of a list. */
  readonly nextCursor?: string
}

/** What a client should know before it lets a model call the tool. A read changes nothing. */
export interface Hints {
  /** It may remove or overwrite. */
  readonly destructive?: true
  /** Calling it twice is as good as once. */
  readonly idempotent?: true
  /** It mails people. */
  readonly mails?: true
}

/** An operation: a route, a line of discovery and a tool for models. */
export interface Operation {
  /** The name of the tool: snake_case. */
  readonly tool: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Below the mount. */
  readonly path: string
  readonly summary: string
  readonly scope: AgentScope
  readonly hints?: Hints
  /** It may take seconds, and says how far it is. */
  readonly isLong?: true
  readonly testContactsOnly?: true
  readonly query?: TSchema
  readonly body?: TSchema
  /** Carried out again it does more, and no key of the mailer can tell: after a crash its key is refused. */
  readonly onceOnly?: true
  /** Of the answer. */
  readonly output: TSchema
  /** Of the audit entry, for changes that the mailer does not record itself. */
  readonly audit?: string
  run(call: OperationCall): Promise<OperationAnswer | Refusal>
}

/** What an operation answers when it went through. */
export const answer = (body: unknown, status = 200): OperationAnswer => ({ ok: true, status, body })

/** The schema of one parameter of an address. */
export const paramSchema = Type.String({ minLength: 1, maxLength: 320 })

/** The names of the parameters of an address, in their order. */
export const paramsOf = (path: string): readonly string[] =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name)

/** The first fault of a call's values; undefined when they fit. */
export function inputFault(
  { path, query, body }: Pick<Operation, 'path' | 'query' | 'body'>,
  given: { readonly params: object; readonly query: unknown; readonly body: unknown }
): Refusal | undefined {
  const params = given.params as Readonly<Record<string, unknown>>
  for (const name of paramsOf(path)) {
    const fault = schemaFault(paramSchema, params[name])
    if (fault !== undefined) return invalid(name, fault.problem)
  }
  for (const [schema, value] of [
    [query, given.query],
    [body, given.body]
  ] as const) {
    const fault = schema === undefined ? undefined : schemaFault(schema, value)
    if (fault !== undefined) return invalid(fault.path, fault.problem)
  }
  return undefined
}

/** A value that does not fit. */
export function invalid(path: string, problem: string): Refusal {
  const where = path || 'body'
  const fields = [{ path: where, message: problem }]
  return refused('validation_failed', { message: `${where} ${problem}.`, more: { fields } })
}
