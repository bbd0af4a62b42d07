// Answers of a day by Idempotency-Key: begun before the work, kept after it, so that they outlast a crash.
import { randomUUID } from 'node:crypto'
import type { Clock, Refused } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import { type Collection, MongoServerError } from 'mongodb'
import { refusals } from '../answers/refusals.ts'
import type { AnswerRow } from './answer-row.ts'
import { decideReplay, isKept } from './decide-replay.ts'

/** A process that died is believed to work on a request for this long. */
const LEASE_MS = 120_000
const DUPLICATE = 11_000
const DURABLE = { writeConcern: { w: 'majority', journal: true } } as const

/** A request with a key that this process works on. */
export interface Running {
  readonly id: string
  readonly lease: string
  /** The same when the request is carried out again after a crash. */
  readonly callKey: string
}

/** What a request with a key may do. */
export type Begun =
  | { readonly kind: 'run'; readonly running: Running }
  | { readonly kind: 'replay'; readonly row: AnswerRow }
  | { readonly kind: 'reused' }
  | { readonly kind: 'outcome_unknown' }
  | { readonly kind: 'in_flight'; readonly retryAfterSeconds: number }

/** Why a request with a key is not carried out. */
export function replayRefusal(
  begun: Exclude<Begun, { readonly kind: 'run' | 'replay' }>
): Refused<'idempotency_key_reused' | 'idempotency_outcome_unknown' | 'idempotency_in_flight'> {
  switch (begun.kind) {
    case 'reused':
      return refusals.refuse('idempotency_key_reused')
    case 'outcome_unknown':
      return refusals.refuse('idempotency_outcome_unknown')
    case 'in_flight':
      return refusals.refuse('idempotency_in_flight', {
        more: { retryAfterSeconds: begun.retryAfterSeconds }
      })
  }
}

type KeptAnswer = Required<Pick<AnswerRow, 'status' | 'contentType' | 'body'>>

/** The kept answers of one agent API. */
export interface KeptAnswers {
  /** `onceOnly`: the request cannot be carried out again after a crash. */
  begin(
    id: string,
    request: string,
    options?: { readonly onceOnly?: boolean | undefined }
  ): Promise<Begun>
  /**
   * Keeps the answer, if the lease is still held. Without one, or with one that must not be repeated, the key may be
   * used again. A failure is logged: what the request changed stays.
   */
  end(running: Running, answer: KeptAnswer | undefined, log: FastifyBaseLogger): Promise<void>
}

/** Names what a request makes: the ledger refuses a second mail of the same key. A day later it is another. */
const callKeyOf = (id: string, at: Date): string => `idempotency:${id}:${at.getTime()}`

/** The answers in a collection. */
export function createKeptAnswers(
  answers: () => Promise<Collection<AnswerRow>>,
  clock: Clock
): KeptAnswers {
  return {
    async begin(id, request, { onceOnly = false } = {}) {
      const collection = await answers()
      const now = clock.now()
      const lease = randomUUID()
      const leaseUntil = new Date(now.getTime() + LEASE_MS)
      const fresh = { request, at: now, state: 'running', lease, leaseUntil } as const
      try {
        await collection.insertOne({ _id: id, ...fresh }, DURABLE)
        return { kind: 'run', running: { id, lease, callKey: callKeyOf(id, now) } }
      } catch (error) {
        if (!(error instanceof MongoServerError) || error.code !== DUPLICATE) throw error
      }
      const row = await collection.findOne({ _id: id })
      const kind = row === null ? 'in_flight' : decideReplay(row, request, now)
      if (row !== null && kind === 'replay') return { kind, row }
      if (kind === 'reused') return { kind }
      if (kind === 'resume' && onceOnly) return { kind: 'outcome_unknown' }
      if (row !== null && (kind === 'run' || kind === 'resume')) {
        const at = kind === 'resume' ? row.at : now
        // One of several takes it over.
        const same = { _id: id, lease: row.lease, state: row.state }
        const taken = await collection.replaceOne(same, { ...fresh, at }, DURABLE)
        if (taken.modifiedCount === 1)
          return { kind: 'run', running: { id, lease, callKey: callKeyOf(id, at) } }
      }
      const until = row?.leaseUntil.getTime() ?? now.getTime()
      const left = Math.max(1, Math.ceil((until - now.getTime()) / 1000))
      return { kind: 'in_flight', retryAfterSeconds: left }
    },
    async end({ id, lease }, answer, log) {
      const own = { _id: id, lease }
      try {
        const collection = await answers()
        if (answer === undefined || !isKept(answer)) await collection.deleteOne(own, DURABLE)
        else await collection.updateOne(own, { $set: { ...answer, state: 'done' } }, DURABLE)
      } catch (err) {
        // The key can be used again when its lease is over.
        log.error({ err }, 'agent: an answer was not kept')
      }
    }
  }
}
