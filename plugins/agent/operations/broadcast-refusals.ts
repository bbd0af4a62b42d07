// What the operations of broadcasts share: their address, what they refuse, how they answer a change of the mailer.
import { type Refused, Type } from '@keelson/sdk'
import type { Acting } from '../agent-host.ts'
import type { Broadcast } from '../answers/broadcast-answers.ts'
import { refusals } from '../answers/refusals.ts'
import { subscribedOnly } from '../boundary/subscribed-only.ts'

/** The address of one. */
export const SLUG = '/broadcasts/:slug'

/** How many people or mails the caller means. */
export const confirmedCount = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })

/** What any change is refused with. */
export const CHANGE_FAULTS = ['broadcast_not_found', 'draft_conflict'] as const

/** What the mailer says of a slug that no broadcast has. */
type Missing = 'not_found' | 'bad_id'

/** A refusal of the mailer by the words of this API, with what it adds: the count that was expected. */
export function refusalOf<Code extends string>(
  refusal: Refused<Code>
): Refused<Exclude<Code, Missing> | 'broadcast_not_found'> {
  if (refusal.code === 'not_found' || refusal.code === 'bad_id')
    return refusals.refuse('broadcast_not_found')
  return refusal as Refused<Exclude<Code, Missing>>
}

/** A broadcast that a change answers, or why it was refused. */
export const changed = <Code extends string>(
  result: { readonly ok: true; readonly answer: Broadcast } | Refused<Code>
): { readonly broadcast: Broadcast } | Refused<Exclude<Code, Missing> | 'broadcast_not_found'> =>
  result.ok ? { broadcast: result.answer } : refusalOf(result)

/** Why a broadcast may not mail: it is unknown, or mails others than subscribed contacts. */
export async function outsideRefusal({ host, actor }: Acting, slug: string) {
  const input = { params: { slug } }
  const detail = await host.operations.as(actor).call('mailer.broadcasts.read', input)
  if (!detail.ok) return refusalOf(detail)
  return subscribedOnly(detail.answer.segmentDefinition)
    ? undefined
    : refusals.refuse('segment_requires_subscribed')
}

/** Why mails of a broadcast may not be let go: as above, or the circuit breaker holds mail. */
export async function releaseRefusal(call: Acting, slug: string) {
  const outside = await outsideRefusal(call, slug)
  if (outside !== undefined) return outside
  const isTripped = (await call.host.health())?.status === 'tripped'
  return isTripped ? refusals.refuse('circuit_breaker_tripped') : undefined
}
