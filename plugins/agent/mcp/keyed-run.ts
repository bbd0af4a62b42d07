// idempotencyKey of a tool call: the same key and arguments get the same result for a day, as over HTTP.
import type { OperationFacts, Refused } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import { type RefusalCode, refusals } from '../answers/refusals.ts'
import { isUsableKey, keyId, requestHash } from '../idempotency/decide-replay.ts'
import { type KeptAnswers, replayRefusal } from '../idempotency/kept-answers.ts'
import type { ToolResult } from './served-tool.ts'

/** A call with a key. */
export interface KeyedCall {
  readonly key: unknown
  readonly actor: string
  /** Without the key. */
  readonly args: Readonly<Record<string, unknown>>
  readonly log: FastifyBaseLogger
  work(callKey: string): Promise<Shown>
  refuse(refused: Refused<RefusalCode>): ToolResult
}

/** What a call came to, and its result for the client. */
export interface Shown {
  /** As over HTTP. */
  readonly status: number
  readonly result: ToolResult
}

/** Runs the work unless the key was used before. */
export async function runKeyed(
  answers: KeptAnswers,
  { id, tool = id, hints }: Pick<OperationFacts, 'id' | 'tool' | 'hints'>,
  { key, actor, args, log, work, refuse }: KeyedCall
): Promise<ToolResult> {
  if (typeof key !== 'string' || !isUsableKey(key))
    return refuse(refusals.refuse('idempotency_key_invalid'))
  const place = keyId(actor, key)
  const request = requestHash('TOOL', tool, args)
  const begun = await answers.begin(place, request, { onceOnly: hints?.once })
  if (begun.kind === 'replay') return replayed(begun.row.body ?? '{}')
  if (begun.kind !== 'run') return refuse(replayRefusal(begun))
  const { status, result } = await work(begun.running.callKey)
  const answer = { status, contentType: 'application/json', body: JSON.stringify(result) }
  await answers.end(begun.running, answer, log)
  return result
}

const replayed = (body: string): ToolResult => ({
  ...(JSON.parse(body) as ToolResult),
  _meta: { idempotentReplayed: true }
})
