// What the command `setup-sendgrid` is to set up, from its flags. Pure.
import { domainToASCII } from 'node:url'
import type { CommandCall } from '@keelson/sdk'

/** What to set up, checked. */
export interface SetupRequest {
  readonly domains: readonly string[]
  readonly subdomain: string
  readonly webhookUrl: string
  /** Without it, a webhook is found by its URL alone. */
  readonly webhookName: string | undefined
  readonly isForced: boolean
}

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** The request, or what is wrong with the flags. */
export function readRequest(
  options: CommandCall['options']
): SetupRequest | { readonly wrongUse: string } {
  const list = (name: string) => [options[name] ?? []].flat().map(String)
  const typed = list('domain').flatMap((text) => text.split(',').map((one) => one.trim()))
  const domains = [...new Set(typed.filter(Boolean).map((one) => domainToASCII(one)))]
  const subdomain = (list('subdomain')[0] ?? 'em').toLowerCase()
  const webhookUrl = list('webhook-url')[0]
  if (domains.length === 0) return { wrongUse: '--domain is missing.' }
  if (!domains.every(isDomain)) return { wrongUse: '--domain must be a domain.' }
  if (!LABEL.test(subdomain)) return { wrongUse: '--subdomain must be one label, as in em.' }
  if (webhookUrl === undefined) return { wrongUse: '--webhook-url is missing.' }
  if (!isWebUrl(webhookUrl))
    return { wrongUse: '--webhook-url must be a URL, as in https://acme.test/m/webhooks/sendgrid.' }
  if (options['interactive'] === true && options['no-interactive'] === true) {
    return { wrongUse: '--interactive and --no-interactive exclude each other.' }
  }
  const webhookName = list('webhook-name')[0]
  return { domains, subdomain, webhookUrl, webhookName, isForced: options['force'] === true }
}

function isDomain(text: string): boolean {
  const labels = text.split('.')
  return labels.length > 1 && text.length <= 253 && labels.every((label) => LABEL.test(label))
}

const isWebUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
