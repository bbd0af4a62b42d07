// Mails that are over and did not surely arrive: counted, sent again, resolved; only as many as were counted.
import { type Call, closed, type Operation, operation, Type } from '@keelson/sdk'
import { type AgentHost, access } from '../agent-host.ts'
import type { MailerSchemas } from '../answers/mailer-schemas.ts'
import { refusals } from '../answers/refusals.ts'
import { integer } from '../answers/shapes.ts'

const confirmedCount = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })

const count = (mailer: MailerSchemas) =>
  operation({
    id: 'agent.sends.countOpen',
    method: 'GET',
    path: '/sends/open',
    summary: 'Counts failed mails that could be sent again, and those of unknown outcome',
    tool: 'count_open_sends',
    agent: true,
    access: access.read,
    effect: 'read',
    query: mailer.query('mailer.sends.countOpen'),
    answer: Type.Object({ failed: integer, unknown: integer }),
    async run({ query }, { host, actor }: Call<AgentHost>) {
      const result = await host.operations.as(actor).call('mailer.sends.countOpen', { query })
      return result.ok ? result.answer : result
    }
  })

const retry = (mailer: MailerSchemas) =>
  operation({
    id: 'agent.sends.retry',
    method: 'POST',
    path: '/sends/retry',
    summary: 'Sends failed mails again; no contact gets two. Count them first',
    tool: 'retry_sends',
    agent: true,
    access: access.write,
    effect: 'send',
    hints: { mails: true },
    body: Type.Object(
      { filter: mailer.bodyField('mailer.sends.retryMany', 'filter'), confirmedCount },
      closed
    ),
    answer: Type.Object({ retried: integer }),
    errors: refusals.only('count_mismatch'),
    async run({ body }, { host, actor }: Call<AgentHost>) {
      const result = await host.operations.as(actor).call('mailer.sends.retryMany', { body })
      return result.ok ? { retried: result.answer.retried } : result
    }
  })

const resolve = (mailer: MailerSchemas) =>
  operation({
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
        filter: mailer.bodyField('mailer.sends.resolveMany', 'filter'),
        as: Type.Enum(['sent', 'not_sent', 'resend']),
        confirmedCount
      },
      closed
    ),
    answer: Type.Object({ resolved: integer }),
    errors: refusals.only('count_mismatch'),
    async run({ body }, { host, actor }: Call<AgentHost>) {
      const result = await host.operations.as(actor).call('mailer.sends.resolveMany', { body })
      return result.ok ? { resolved: result.answer.resolved } : result
    }
  })

/** Below `/sends`. */
export const openSendOperations = (mailer: MailerSchemas): readonly Operation<AgentHost>[] => [
  count(mailer),
  retry(mailer),
  resolve(mailer)
]
