// A broadcast that runs, for agents: held, let go, sent again, ended.
import { type Call, closed, type Operation, operation, Type } from '@keelson/sdk'
import { type AgentHost, access, slugParams } from '../agent-host.ts'
import {
  broadcastSchema,
  changedBroadcastSchema as changedSchema
} from '../answers/broadcast-answers.ts'
import type { MailerSchemas } from '../answers/mailer-schemas.ts'
import { refusals } from '../answers/refusals.ts'
import { integer } from '../answers/shapes.ts'
import {
  CHANGE_FAULTS,
  changed,
  confirmedCount,
  refusalOf,
  releaseRefusal,
  SLUG
} from './broadcast-refusals.ts'

const pause = (mailer: MailerSchemas) =>
  operation({
    id: 'agent.broadcasts.pause',
    method: 'POST',
    path: `${SLUG}/pause`,
    summary: 'Pauses a broadcast and holds its waiting mails',
    tool: 'pause_broadcast',
    agent: true,
    access: access.write,
    effect: 'stop',
    hints: { idempotent: true },
    params: slugParams,
    answer: changedSchema(mailer),
    errors: refusals.only(...CHANGE_FAULTS, 'not_pausable'),
    async run({ params }, { host, actor }: Call<AgentHost>) {
      const input = { params, body: {} }
      return changed(await host.operations.as(actor).call('mailer.broadcasts.pause', input))
    }
  })

const resume = (mailer: MailerSchemas) =>
  operation({
    id: 'agent.broadcasts.resume',
    method: 'POST',
    path: `${SLUG}/resume`,
    summary: 'Resumes a broadcast, or lets its next wave out; recipientCap null removes the cap',
    tool: 'resume_broadcast',
    agent: true,
    access: access.write,
    effect: 'release',
    hints: { mails: true },
    params: slugParams,
    body: Type.Object(
      {
        confirmedCount,
        recipientCap: Type.Optional(mailer.bodyField('mailer.broadcasts.resume', 'recipientCap')),
        stopRules: Type.Optional(mailer.bodyField('mailer.broadcasts.resume', 'stopRules'))
      },
      closed
    ),
    answer: changedSchema(mailer),
    errors: refusals.only(
      ...CHANGE_FAULTS,
      'segment_requires_subscribed',
      'circuit_breaker_tripped',
      'not_paused',
      'confirmedCount_required',
      'count_mismatch',
      'cap_not_raised',
      'changed_meanwhile',
      'stop_rule_still_breached'
    ),
    async run({ params, body }, call: Call<AgentHost>) {
      const refused = await releaseRefusal(call, params.slug)
      if (refused !== undefined) return refused
      const mailer = call.host.operations.as(call.actor)
      return changed(await mailer.call('mailer.broadcasts.resume', { params, body }))
    }
  })

const nextWave = (mailer: MailerSchemas) =>
  operation({
    id: 'agent.broadcasts.nextWave',
    method: 'POST',
    path: `${SLUG}/next-wave`,
    summary: 'Lets the next wave of a broadcast out before its time',
    tool: 'send_next_wave',
    agent: true,
    access: access.write,
    effect: 'release',
    hints: { mails: true },
    params: slugParams,
    answer: changedSchema(mailer),
    errors: refusals.only(
      ...CHANGE_FAULTS,
      'segment_requires_subscribed',
      'circuit_breaker_tripped',
      'no_wave_waits',
      'stop_rule_still_breached'
    ),
    async run({ params }, call: Call<AgentHost>) {
      const refused = await releaseRefusal(call, params.slug)
      if (refused !== undefined) return refused
      const mailer = call.host.operations.as(call.actor)
      return changed(await mailer.call('mailer.broadcasts.nextWave', { params, body: {} }))
    }
  })

const retry = (mailer: MailerSchemas) =>
  operation({
    id: 'agent.broadcasts.retry',
    method: 'POST',
    path: `${SLUG}/retry`,
    summary: 'Sends the failed mails of a broadcast again; no recipient gets two',
    tool: 'retry_broadcast',
    agent: true,
    access: access.write,
    effect: 'send',
    hints: { mails: true },
    params: slugParams,
    body: Type.Object({ confirmedCount }, closed),
    answer: Type.Object({ broadcast: broadcastSchema(mailer), retriedSends: integer }),
    errors: refusals.only(
      ...CHANGE_FAULTS,
      'segment_requires_subscribed',
      'circuit_breaker_tripped',
      'not_retryable',
      'count_mismatch'
    ),
    async run({ params, body }, call: Call<AgentHost>) {
      const refused = await releaseRefusal(call, params.slug)
      if (refused !== undefined) return refused
      const mailer = call.host.operations.as(call.actor)
      const result = await mailer.call('mailer.broadcasts.retry', { params, body })
      if (!result.ok) return refusalOf(result)
      const { retriedSends, ...broadcast } = result.answer
      return { broadcast, retriedSends }
    }
  })

const cancel = (mailer: MailerSchemas) =>
  operation({
    id: 'agent.broadcasts.cancel',
    method: 'POST',
    path: `${SLUG}/cancel`,
    summary: 'Ends a broadcast and cancels its waiting mails',
    tool: 'cancel_broadcast',
    agent: true,
    access: access.write,
    effect: 'stop',
    hints: { destructive: true },
    params: slugParams,
    answer: Type.Object({ broadcast: broadcastSchema(mailer), cancelledSends: integer }),
    errors: refusals.only(...CHANGE_FAULTS, 'already_finished'),
    async run({ params }, { host, actor }: Call<AgentHost>) {
      const result = await host.operations.as(actor).call('mailer.broadcasts.cancel', { params })
      if (!result.ok) return refusalOf(result)
      const { cancelledSends, ...broadcast } = result.answer
      return { broadcast, cancelledSends }
    }
  })

/** What is done with a broadcast once it is scheduled. */
export const runningOperations = (mailer: MailerSchemas): readonly Operation<AgentHost>[] =>
  [pause, resume, nextWave, retry, cancel].map((made) => made(mailer))
