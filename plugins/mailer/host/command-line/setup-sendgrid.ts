// The command `setup-sendgrid`: authenticates sender domains and sets up the event webhook.
import { createInterface } from 'node:readline/promises'
import { setTimeout } from 'node:timers/promises'
import { publishRecord } from '@keelson/dmarc'
import {
  type CommandAnswer,
  type CommandCall,
  type Environment,
  environmentOf,
  type PluginCommand
} from '@keelson/sdk'
import { authenticateDomain, type DomainResult } from './authenticate-domain.ts'
import { setUpWebhook, type WebhookResult } from './event-webhook.ts'
import { createSendgridCall } from './sendgrid-api.ts'
import { readRequest, type SetupRequest } from './sendgrid-flags.ts'

const text = (description: string, placeholder: string) =>
  ({ type: 'string', description, placeholder }) as const
const flag = (description: string) => ({ type: 'boolean', description }) as const

const CALLS_MS = 300_000

/** Running it again changes nothing where the account and the records are right. */
export const setupSendgrid: PluginCommand = {
  name: 'setup-sendgrid',
  summary: 'Authenticates domains at SendGrid and sets up its signed event webhook.',
  options: {
    domain: {
      ...text('The sender domain. May be repeated, or comma-separated.', 'DOMAIN'),
      multiple: true
    },
    subdomain: text('The label of the return path below the domain: em (default).', 'LABEL'),
    'webhook-url': text('Where events go: https://HOST/m/webhooks/sendgrid.', 'URL'),
    'webhook-name': text('The webhook to use, when several are there.', 'NAME'),
    cloudflare: flag('Publish the records at Cloudflare, with the token in CLOUDFLARE_API_TOKEN.'),
    'cloudflare-zone': text('The zone, when it is not a parent of the domain.', 'ZONE'),
    force: flag('Replace the address of the only webhook of an old account.'),
    interactive: flag('Ask before anything is changed (default in a terminal).'),
    'no-interactive': flag('Never ask.')
  },
  database: false,
  run: (_host, call) =>
    runSetup(call, { environment: environmentOf(process.env), fetch, pause: setTimeout, confirm })
}

/** What the command reaches outside itself. */
export interface Outside {
  readonly environment: Environment
  readonly fetch: typeof globalThis.fetch
  readonly pause: (milliseconds: number) => Promise<unknown>
  /** Asks the operator. */
  readonly confirm: (question: string, call: CommandCall) => Promise<boolean>
}

type Part<T> = T | { readonly problem: string }

/** Goes on after a problem, so that what was done is printed. */
export async function runSetup(call: CommandCall, outside: Outside): Promise<CommandAnswer> {
  const { environment, fetch, pause, confirm } = outside
  const request = readRequest(call.options)
  if ('wrongUse' in request) return request
  const { SENDGRID_API_KEY: apiKey, CLOUDFLARE_API_TOKEN: token } = environment
  if (!apiKey?.startsWith('SG.')) return { wrongUse: 'SENDGRID_API_KEY must begin with "SG.".' }
  const isPublishing = call.options['cloudflare'] === true
  if (isPublishing && !token) return { wrongUse: 'CLOUDFLARE_API_TOKEN is missing.' }
  if (!(await confirm(question(request, isPublishing), call))) {
    return { json: { domains: [] }, text: 'Nothing was changed.', failed: true }
  }
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(CALLS_MS)])
  const sendgrid = createSendgridCall({
    apiKey,
    baseUrl: environment['SENDGRID_BASE_URL'],
    fetch,
    signal
  })
  const zone = [call.options['cloudflare-zone'] ?? []].flat().map(String)[0]
  const cloudflare = { baseUrl: environment['CLOUDFLARE_BASE_URL'], zone, fetch, signal }
  const publish =
    isPublishing && token
      ? (record: Parameters<typeof publishRecord>[1]) =>
          publishRecord({ ...cloudflare, token }, record)
      : undefined
  const setup = { call: sendgrid, publish, pause }
  const domains: (Part<DomainResult> & { readonly domain: string })[] = []
  for (const domain of request.domains) {
    const work = authenticateDomain(setup, domain, request.subdomain)
    domains.push({ domain, ...(await part(work)) })
  }
  return answer(domains, await part(setUpWebhook(sendgrid, request)), isPublishing)
}

async function part<T>(work: Promise<T>): Promise<Part<T>> {
  try {
    return await work
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function answer(
  domains: readonly (Part<DomainResult> & { readonly domain: string })[],
  webhook: Part<WebhookResult>,
  isPublishing: boolean
): CommandAnswer {
  const failed =
    'problem' in webhook ||
    domains.some((one) => 'problem' in one || (isPublishing && !one.isValid))
  const lines = [...domains.flatMap(domainLines), ...webhookLines(webhook)]
  return { json: { domains, webhook }, text: lines.join('\n'), failed }
}

function domainLines(result: Part<DomainResult> & { readonly domain: string }): string[] {
  if ('problem' in result) return [`${result.domain}: ${result.problem}`]
  const { domain, isValid, records, reasons } = result
  const state = isValid ? 'valid.' : 'not valid yet. Publish these records, then run this again:'
  return [
    `${domain}: ${state}`,
    ...records.map((record) => {
      const prefix = 'state' in record ? `${record.state}: ` : ''
      return `  ${prefix}${record.name} CNAME ${record.value}`
    }),
    ...reasons.map((reason) => `  SendGrid: ${reason}`)
  ]
}

function webhookLines(result: Part<WebhookResult>): string[] {
  if ('problem' in result) return [`Webhook: ${result.problem}`]
  return [
    `Webhook: ${result.state}, posts to ${result.url}`,
    'Set the key of this webhook in the environment that it posts to; other webhooks have other keys:',
    `SENDGRID_WEBHOOK_KEY=${result.publicKey}`
  ]
}

function question({ domains, webhookUrl }: SetupRequest, isPublishing: boolean): string {
  const places = isPublishing ? 'SendGrid and Cloudflare' : 'SendGrid'
  return `Set up ${domains.join(', ')} and the webhook ${webhookUrl} at ${places}? [y/N] `
}

async function confirm(asked: string, { options, signal }: CommandCall): Promise<boolean> {
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY
  if (options['no-interactive'] === true) return true
  if (options['interactive'] !== true && !isTerminal) return true
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(asked, { signal })).trim())
  } finally {
    terminal.close()
  }
}
