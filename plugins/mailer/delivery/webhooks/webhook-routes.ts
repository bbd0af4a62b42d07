// The route of provider webhooks: verified, stored durably, then answered.

import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { MailProvider, WebhookHeaders } from '../../contracts/mailer-provider.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { WebhookEventRow } from '../../ledger/webhook-row.ts'
import { isFirstBody } from './first-body.ts'
import { hideForgotten } from './hide-forgotten.ts'
import { readEvents, unreadableRow } from './read-events.ts'

const BODY_LIMIT = 5 * 1024 * 1024
/** Rows written in one command. */
const CHUNK = 1000

/** Prepares the route. */
export function webhookRoutes(context: MailerContext): RouteOptions[] {
  return [
    {
      method: 'POST',
      url: '/webhooks/*',
      bodyLimit: BODY_LIMIT,
      handler: (request, reply) => takeWebhook(context, request, reply)
    }
  ]
}

async function takeWebhook(
  context: MailerContext,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const name = (request.params as { readonly '*': string })['*']
  const provider = context.providers.get(name)
  if (provider === undefined) return reply.code(404).send()
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const headers = request.headers as WebhookHeaders
  if (!(await isGenuine(context, provider, rawBody, headers))) return reply.code(401).send()
  const token = provider.webhookToken?.(rawBody, headers)
  if (token !== undefined && !(await isFirstBody(context, name, token, rawBody))) {
    context.log.warn({ provider: name }, 'mailer: a webhook brought a used token with another body')
    return reply.code(401).send()
  }
  const rows = await readRequest(context, { name, provider, rawBody, headers })
  for (let at = 0; at < rows.length; at += CHUNK) {
    const chunk = await hideForgotten(context, rows.slice(at, at + CHUNK))
    await context.queues.webhookEvents.add(chunk)
  }
  return reply.code(200).send()
}

async function isGenuine(
  { log }: MailerContext,
  provider: MailProvider,
  rawBody: Buffer,
  headers: WebhookHeaders
): Promise<boolean> {
  try {
    return (await provider.verifyWebhook(rawBody, headers)) === true
  } catch (error) {
    log.warn({ err: error, provider: provider.name }, 'mailer: a webhook could not be verified')
    return false
  }
}

interface GenuineRequest {
  readonly name: string
  readonly provider: MailProvider
  readonly rawBody: Buffer
  readonly headers: WebhookHeaders
}

/** A request that cannot be read is kept whole: the provider would only repeat it. */
async function readRequest(
  { clock, log }: MailerContext,
  { name, provider, rawBody, headers }: GenuineRequest
): Promise<WebhookEventRow[]> {
  const source = { provider: name, receivedAt: clock.now() }
  try {
    const payload: unknown = JSON.parse(rawBody.toString())
    if ((await provider.confirmWebhook?.(payload, headers)) === true) return []
    return readEvents(await provider.parseWebhookEvents(payload, headers), source)
  } catch (error) {
    log.error({ err: error, provider: name }, 'mailer: a webhook request could not be read')
    return [unreadableRow(rawBody, source)]
  }
}
