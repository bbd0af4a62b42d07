// What the operations of broadcasts refuse, and how they answer a change of the mailer.
import { type BroadcastRow, readBroadcast } from '@keelson/mailer'
import type { Refused } from '@keelson/sdk'
import type { AgentHost } from '../agent-host.ts'
import { broadcastAnswer } from '../answers/broadcast-answers.ts'
import { refusals } from '../answers/refusals.ts'
import { subscribedOnly } from '../boundary/subscribed-only.ts'

interface MailerRefusal<Code extends string> {
  readonly ok: false
  readonly code: Code
}

/** A refusal of the mailer by the words of this API, with what it adds: the count that was expected. */
export function refusalOf<Code extends string>(
  refusal: MailerRefusal<Code>
): Refused<Exclude<Code, 'not_found'> | 'broadcast_not_found'> {
  if (refusal.code === 'not_found') return refusals.refuse('broadcast_not_found')
  return refusal as MailerRefusal<Exclude<Code, 'not_found'>>
}

/** A broadcast that a change answers, or why it was refused. */
export const changed = <Code extends string>(
  result: { readonly ok: true; readonly broadcast: BroadcastRow } | MailerRefusal<Code>
) => (result.ok ? { broadcast: broadcastAnswer(result.broadcast) } : refusalOf(result))

/** Why a broadcast may not mail: it is unknown, or mails others than subscribed contacts. */
export async function outsideRefusal({ context }: AgentHost, slug: string) {
  const detail = await readBroadcast(context, slug)
  if (detail === null) return refusals.refuse('broadcast_not_found')
  return subscribedOnly(detail.broadcast.segmentDefinition)
    ? undefined
    : refusals.refuse('segment_requires_subscribed')
}

/** Why mails of a broadcast may not be let go: as above, or the circuit breaker holds mail. */
export async function releaseRefusal(host: AgentHost, slug: string) {
  const outside = await outsideRefusal(host, slug)
  if (outside !== undefined) return outside
  const isTripped = (await host.health())?.status === 'tripped'
  return isTripped ? refusals.refuse('circuit_breaker_tripped') : undefined
}
