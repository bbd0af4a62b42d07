// Updates of a send as pipeline stages: what a hand-off came to, and the status that follows. Pure.
import type { Document } from 'mongodb'
import { domainOf } from './address.ts'
import type { SendRow } from './send-row.ts'
import { STATUS_STAGE } from './send-status.ts'

/** Fields that a hand-off writes. */
export type HandoffFields = Partial<
  Pick<
    SendRow,
    | 'handoff'
    | 'emailAtSend'
    | 'templateVersion'
    | 'handedAt'
    | 'sentAt'
    | 'provider'
    | 'providerMessageId'
    | 'from'
    | 'subject'
    | 'bodyHash'
    | 'links'
    | 'attachments'
    | 'errorMessage'
    | 'exitReason'
    | 'hold'
    | 'waitingFor'
    | 'waiting'
    | 'bouncedAt'
    | 'bounceType'
    | 'bounceReason'
    | 'bounceClass'
  >
>

const MAX_MESSAGE = 500

/** What a mail that waits for a provider has; whatever else is written of its hand-off ends the wait. */
const WAITS = ['waitingFor', 'waiting'] as const

/** Sets and removes fields, then computes the status. Values are taken as they are, `$` and all. */
export function sendUpdate(
  fields: HandoffFields,
  removed: readonly (keyof HandoffFields)[] = []
): Document[] {
  const { emailAtSend } = fields
  const known = emailAtSend ? { ...fields, toDomain: domainOf(emailAtSend) } : fields
  const entries = Object.entries(known).filter(([, value]) => value !== undefined)
  const $set = Object.fromEntries(entries.map(([name, value]) => [name, { $literal: value }]))
  const ended = fields.handoff === undefined || fields.waiting !== undefined ? [] : WAITS
  const $unset = [...removed, ...ended]
  return [{ $set }, ...($unset.length === 0 ? [] : [{ $unset }]), STATUS_STAGE]
}

/** The words of a provider or an error, on one line and not too long. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE)
}
