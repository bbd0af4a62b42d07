// Mails that are over and did not surely arrive: counted, sent again, resolved; only as many as were counted.
import {
  actingOf,
  countOpenSends,
  resolveSends,
  retrySends,
  sendSelectionSchema
} from '@keelson/mailer'
import { type Call, closed, type Operation, operation, Type } from '@keelson/sdk'
import { type AgentHost, access } from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import { integer } from '../answers/shapes.ts'

const confirmedCount = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })

const count = operation({
  id: 'agent.sends.countOpen',
  method: 'GET',
  path: '/sends/open',
  summary: 'Counts failed mails that could be sent again, and those of unknown outcome',
  tool: 'count_open_sends',
  agent: true,
  access: access.read,
  effect: 'read',
  query: sendSelectionSchema,
  answer: Type.Object({ failed: integer, unknown: integer }),
  run: ({ query }, { host }: Call<AgentHost>) => countOpenSends(host.context, query)
})

const retry = operation({
  id: 'agent.sends.retry',
  method: 'POST',
  path: '/sends/retry',
  summary: 'Sends failed mails again; no contact gets two. Count them first',
  tool: 'retry_sends',
  agent: true,
  access: access.write,
  effect: 'send',
  hints: { mails: true },
  body: Type.Object({ filter: sendSelectionSchema, confirmedCount }, closed),
  answer: Type.Object({ retried: integer }),
  errors: refusals.only('count_mismatch'),
  async run({ body: { filter: selection, confirmedCount } }, { host, actor }: Call<AgentHost>) {
    const asked = { selection, confirmedCount }
    const result = await retrySends(host.context, asked, actingOf(actor))
    return result.ok ? { retried: result.changed } : result
  }
})

const resolve = operation({
  id: 'agent.sends.resolve',
  method: 'POST',
  path: '/sends/resolve',
  summary: 'Says what became of mails of unknown outcome; resend may deliver a mail twice',
  tool: 'resolve_sends',
  agent: true,
  access: access.write,
  effect: 'send',
  hints: { mails: true },
  body: Type.Object(
    {
      filter: sendSelectionSchema,
      as: Type.Enum(['sent', 'not_sent', 'resend']),
      confirmedCount
    },
    closed
  ),
  answer: Type.Object({ resolved: integer }),
  errors: refusals.only('count_mismatch'),
  async run({ body: { filter, as, confirmedCount } }, { host, actor }: Call<AgentHost>) {
    const asked = { selection: filter, confirmedCount, as }
    const result = await resolveSends(host.context, asked, actingOf(actor))
    return result.ok ? { resolved: result.changed } : result
  }
})

/** Below `/sends`. */
export const openSendOperations: readonly Operation<AgentHost>[] = [count, retry, resolve]
