// The signed event webhook of SendGrid: found or made, with its address, its events and its key.
import { errors } from '../../errors.ts'
import type { SendgridCall } from './sendgrid-api.ts'
import type { SetupRequest } from './sendgrid-flags.ts'

/** A webhook as SendGrid stores it. */
export interface StoredWebhook {
  readonly id?: string
  readonly url?: string
  readonly enabled?: boolean
  readonly friendly_name?: string
  readonly public_key?: string
  readonly [toggle: string]: unknown
}

export interface WebhookResult {
  readonly url: string
  readonly state: 'unchanged' | 'created' | 'changed'
  /** Verifies the events of this webhook, and of no other. */
  readonly publicKey: string
}

/** Deferred and processed mails would cost calls and change no send. */
const EVENTS = {
  delivered: true,
  open: true,
  click: true,
  bounce: true,
  dropped: true,
  spam_report: true,
  unsubscribe: true,
  group_unsubscribe: true,
  deferred: false,
  processed: false
}
const PATH = '/user/webhooks/event/settings'
const NAME = 'keelson'

/** Writes nothing when the webhook is right. @throws MLR_SENDGRID_SETUP */
export async function setUpWebhook(
  call: SendgridCall,
  request: SetupRequest
): Promise<WebhookResult> {
  const all = await call<{ max_allowed?: number; webhooks?: StoredWebhook[] }>('GET', `${PATH}/all`)
  if (all?.webhooks === undefined) return setUpOnlyWebhook(call, request)
  const found = findWebhook(all.webhooks, request)
  if (found === undefined && all.webhooks.length >= (all.max_allowed ?? Number.POSITIVE_INFINITY)) {
    const problem = `the account has its ${all.max_allowed} webhooks; remove one, or name one to change by --webhook-name`
    throw errors.MLR_SENDGRID_SETUP({ problem })
  }
  const body = wanted(request, found)
  if (found?.id === undefined) {
    const made = await call<StoredWebhook>('POST', PATH, body)
    return { url: request.webhookUrl, state: 'created', publicKey: await keyOf(call, made) }
  }
  return settle(call, found, body)
}

/** The webhook to use. Another URL may be another environment: only its name makes it ours. */
export function findWebhook(
  webhooks: readonly StoredWebhook[],
  { webhookUrl, webhookName }: Pick<SetupRequest, 'webhookUrl' | 'webhookName'>
): StoredWebhook | undefined {
  const named = webhooks.filter((one) => one.friendly_name === webhookName)
  const here = webhooks.filter(({ url }) => url === webhookUrl)
  if (webhookName !== undefined && named.length > 0) {
    return named.find((one) => here.includes(one)) ?? named[0]
  }
  return here.find(({ enabled }) => enabled) ?? here[0]
}

/** Old accounts have one webhook and no list of them. */
async function setUpOnlyWebhook(call: SendgridCall, request: SetupRequest): Promise<WebhookResult> {
  const found = (await call<StoredWebhook>('GET', PATH)) ?? {}
  const isOther = Boolean(found.url) && found.url !== request.webhookUrl
  if (isOther && !request.isForced) {
    const problem = `the only webhook of the account posts to ${found.url}; --force replaces that address`
    throw errors.MLR_SENDGRID_SETUP({ problem })
  }
  const { friendly_name: _, ...body } = wanted(request, found)
  return settle(call, found, body)
}

async function settle(
  call: SendgridCall,
  found: StoredWebhook,
  body: Readonly<Record<string, unknown>>
): Promise<WebhookResult> {
  const isSame = Object.entries(body).every(([key, value]) => found[key] === value)
  const path = found.id === undefined ? PATH : `${PATH}/${found.id}`
  if (!isSame) await call('PATCH', path, body)
  const publicKey = await keyOf(call, found)
  return { url: String(body['url']), state: isSame ? 'unchanged' : 'changed', publicKey }
}

/** The key of the webhook; signing is switched on where it is off. */
async function keyOf(call: SendgridCall, webhook: StoredWebhook | undefined): Promise<string> {
  if (webhook?.public_key) return webhook.public_key
  const path = webhook?.id === undefined ? `${PATH}/signed` : `${PATH}/signed/${webhook.id}`
  const read = await call<StoredWebhook>('GET', path)
  if (read?.public_key) return read.public_key
  const signed = await call<StoredWebhook>('PATCH', path, { enabled: true })
  if (signed?.public_key) return signed.public_key
  throw errors.MLR_SENDGRID_SETUP({ problem: 'it answers no verification key for the webhook' })
}

function wanted({ webhookUrl, webhookName }: SetupRequest, found: StoredWebhook | undefined) {
  const name = webhookName ?? found?.friendly_name ?? (found ? undefined : NAME)
  return { enabled: true, url: webhookUrl, ...(name && { friendly_name: name }), ...EVENTS }
}
