// What ingest answers: one switch from what happened to the wire, for each sort of key.

import { KeelsonError, type RefusalAnswer, sendRefusal } from '@keelson/sdk'
import type { FastifyReply } from 'fastify'
import type { TenantFault } from './context.ts'
import type { Refused } from './credentials.ts'

/** Everything that can end a request. `count` is how many records it concerned. */
export type Ending =
  | {
      readonly is: 'written'
      readonly accepted: number
      readonly rejected: number
      /** The last so many were over the rate of a secret key; they count as rejected. */
      readonly overRate?: number
      readonly retryAfterSeconds?: number
    }
  | { readonly is: 'refused'; readonly refused: Refused }
  | { readonly is: 'tenant'; readonly fault: TenantFault; readonly count: number }
  | { readonly is: 'unreadable' }
  | { readonly is: 'too_large' }
  | { readonly is: 'unsupported' }
  | { readonly is: 'too_many'; readonly max: number }
  | { readonly is: 'over_rate'; readonly max: number; readonly retryAfterSeconds: number }

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
}

const taken = (accepted: number, rejected: number): Answer => ({
  status: 202,
  body: { accepted, rejected }
})
const fault = (status: number, error: string): Answer => ({ status, body: { error } })

const TENANT_STATUS = {
  no_context_adapter: 500,
  no_session: 401,
  tenant_required: 400,
  reserved_tenant: 400
} as const satisfies Record<TenantFault, number>

const TENANT_WORDS = {
  no_context_adapter: [
    'Keys of sessions need the option contextAdapter, which this host does not have.',
    'Use a key with the tenant mode fixed or claimed.'
  ],
  no_session: ['The request has no session.', 'Sign in first.'],
  tenant_required: [
    'The key writes for the tenant that a batch names, and this one names none that can be.',
    'Send context.tenantId in the batch, or the header x-tenant-id.'
  ],
  reserved_tenant: ['The tenant * stands for the whole platform.', 'Name one tenant.']
} as const satisfies Record<TenantFault, readonly [message: string, fix: string]>

function tenantFault(error: TenantFault): Answer {
  const [message, fix] = TENANT_WORDS[error]
  return { status: TENANT_STATUS[error], body: { error, message, fix } }
}

/** Secret keys hear what is wrong; publishable ones hear 202, because the client could not act on more. */
export function answerOf(ending: Ending, isSecret: boolean): Answer {
  switch (ending.is) {
    case 'written':
      return writtenAnswer(ending)
    case 'refused':
      return ending.refused === 'drop' ? taken(0, 0) : fault(401, ending.refused)
    case 'tenant':
      return isSecret
        ? tenantFault(ending.fault)
        : taken(0, ending.fault === 'no_context_adapter' ? 0 : ending.count)
    case 'unreadable':
      return isSecret ? fault(400, 'entity.parse.failed') : taken(0, 1)
    case 'too_large':
      return isSecret ? fault(413, 'entity.too.large') : taken(0, 1)
    case 'unsupported':
      return isSecret ? fault(415, 'unsupported_media_type') : taken(0, 1)
    case 'too_many':
      return { status: 413, body: { error: 'batch_too_large', max: ending.max } }
    case 'over_rate':
      return {
        status: 429,
        body: { error: 'rate_limited', max: ending.max },
        retryAfterSeconds: ending.retryAfterSeconds
      }
  }
}

function writtenAnswer({
  accepted,
  rejected,
  overRate,
  retryAfterSeconds
}: Extract<Ending, { is: 'written' }>): Answer {
  const answer = taken(accepted, rejected)
  if (overRate === undefined || retryAfterSeconds === undefined) return answer
  return { ...answer, body: { ...answer.body, overRate }, retryAfterSeconds }
}

/** Trouble that is not the sender's: it keeps its records and sends them again. */
export function answerOfError(error: unknown): Answer {
  const isOverload = KeelsonError.is(error) && error.code === 'TEL_OVERLOADED'
  return isOverload
    ? { ...fault(429, 'overloaded'), retryAfterSeconds: 1 }
    : { ...fault(503, 'unavailable'), retryAfterSeconds: 2 }
}

/** An answer as the gate gives it. */
export function refusalOf({ status, body, retryAfterSeconds }: Answer): RefusalAnswer {
  const retry = retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }
  return { status, body, headers: { 'cache-control': 'no-store', ...retry } }
}

export const sendAnswer = (reply: FastifyReply, answer: Answer): FastifyReply =>
  sendRefusal(reply, refusalOf(answer))
