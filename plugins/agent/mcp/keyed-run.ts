// idempotencyKey of a tool call: the same key and arguments get the same result for a day, as over HTTP.
import type { FastifyBaseLogger } from 'fastify'
import { type Refusal, refused } from '../answers/refusal.ts'
import { isUsableKey, keyId, requestHash } from '../idempotency/decide-replay.ts'
import { type KeptAnswers, replayRefusal } from '../idempotency/kept-answers.ts'
import type { Operation, OperationAnswer } from '../operations/operation.ts'
import type { ToolResult } from './served-tool.ts'

/** A call with a key. */
export interface KeyedCall {
  readonly key: unknown
  readonly actor: string
  /** Without the key. */
  readonly args: Readonly<Record<string, unknown>>
  readonly log: FastifyBaseLogger
  work(callKey: string): Promise<Shown>
  refuse(refusal: Refusal): ToolResult
}

/** What a call came to, and its result for the client. */
export interface Shown {
  readonly outcome: OperationAnswer | Refusal
  readonly result: ToolResult
}

/** Runs the work unless the key was used before. */
export async function runKeyed(
  answers: KeptAnswers | undefined,
  { tool, onceOnly }: Pick<Operation, 'tool' | 'onceOnly'>,
  { key, actor, args, log, work, refuse }: KeyedCall
): Promise<ToolResult> {
  if (answers === undefined || typeof key !== 'string' || !isUsableKey(key))
    return refuse(refused('idempotency_key_invalid'))
  const id = keyId(actor, key)
  const begun = await answers.begin(id, requestHash('TOOL', tool, args), { onceOnly })
  if (begun.kind === 'replay') return replayed(begun.row.body ?? '{}')
  if (begun.kind !== 'run') return refuse(replayRefusal(begun))
  const { outcome, result } = await work(begun.running.callKey)
  const answer = {
    status: outcome.status ?? 200,
    contentType: 'application/json',
    body: JSON.stringify(result)
  }
  await answers.end(begun.running, answer, log)
  return result
}

const replayed = (body: string): ToolResult => ({
  ...(JSON.parse(body) as ToolResult),
  _meta: { idempotentReplayed: true }
})
