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

/** A request that is at work until its lease is over. */
function inFlight(now: Date, until: Date): Begun {
  const left = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return { kind: 'in_flight', retryAfterSeconds: left }
}

/** What a repeated request does, by the row of the first. One of several takes a row over. */
async function goOn(
  collection: Collection<AnswerRow>,
  row: AnswerRow,
  { onceOnly, ...fresh }: Omit<AnswerRow, '_id'> & { readonly onceOnly: boolean }
): Promise<Begun> {
  const { _id: id, lease, state } = row
  const { at: now, request } = fresh
  const kind = decideReplay(row, request, now)
  if (kind === 'replay') return { kind, row }
  if (kind === 'reused') return { kind }
  if (kind === 'in_flight') return inFlight(now, row.leaseUntil)
  if (kind === 'resume' && onceOnly) return { kind: 'outcome_unknown' }
  const at = kind === 'resume' ? row.at : now
  const taken = await collection.replaceOne({ _id: id, lease, state }, { ...fresh, at }, DURABLE)
  if (taken.modifiedCount !== 1) return inFlight(now, row.leaseUntil)
  return { kind: 'run', running: { id, lease: fresh.lease, callKey: callKeyOf(id, at) } }
}

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
      return row === null ? inFlight(now, now) : goOn(collection, row, { ...fresh, onceOnly })
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
