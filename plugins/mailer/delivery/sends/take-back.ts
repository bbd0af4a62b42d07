// An attempt that is taken back: the mail never reached the provider. Pure.
import type { Document } from 'mongodb'
import type { SendRow } from '../../ledger/send-row.ts'

const ATTEMPT_FIELDS = ['attempt', 'firstAttemptAt', 'handedAt'] as const

/** Stages that make the fields of the attempt what they were before it. `send` is the row from before. */
export function takeBack(send: SendRow): Document[] {
  const kept = ATTEMPT_FIELDS.filter((name) => send[name] !== undefined)
  const gone = ATTEMPT_FIELDS.filter((name) => send[name] === undefined)
  const $set = Object.fromEntries(kept.map((name) => [name, { $literal: send[name] }]))
  return [...(kept.length > 0 ? [{ $set }] : []), ...(gone.length > 0 ? [{ $unset: gone }] : [])]
}
