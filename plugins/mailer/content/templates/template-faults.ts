// Why fields of a template do not fit the configuration. Pure.

import { senderOf } from '../../delivery/sends/compose-mail.ts'
import { domainOf, isMailable } from '../../ledger/address.ts'
import type { ResolvedConfig } from '../../ledger/check-config.ts'
import type { TemplateFields } from '../../ledger/template-rows.ts'

/** A refusal that callers expect. */
export interface TemplateFault {
  readonly ok: false
  readonly code:
    | 'sender_domain_invalid'
    | 'reply_to_invalid'
    | 'category_unknown'
    | 'provider_unknown'
  /** Of `sender_domain_invalid`: what about it. */
  readonly reason?: 'address_invalid' | 'domain_unknown' | 'kind_mismatch'
  readonly message: string
}

/** Fields that are checked together. */
export type CheckedFields = Pick<
  TemplateFields,
  'kind' | 'fromName' | 'fromEmail' | 'replyTo' | 'category' | 'providerOverride'
>

/** The first fault; undefined when all fits. */
export function templateFault(
  fields: CheckedFields,
  config: ResolvedConfig
): TemplateFault | undefined {
  const { replyTo, category, providerOverride } = fields
  if (replyTo !== null && !isMailable(replyTo)) {
    return { ok: false, code: 'reply_to_invalid', message: 'replyTo must be a mail address' }
  }
  const { categories } = config
  if (category !== undefined && !(categories ?? []).some(({ id }) => id === category)) {
    const message = `The category ${category} is not configured`
    return { ok: false, code: 'category_unknown', message }
  }
  if (providerOverride !== undefined && !Object.hasOwn(config.providers, providerOverride)) {
    const message = `The provider ${providerOverride} is not configured`
    return { ok: false, code: 'provider_unknown', message }
  }
  return senderFault(fields, config)
}

/** An empty address is that of the defaults. Without registered domains every domain may send. */
function senderFault(fields: CheckedFields, config: ResolvedConfig): TemplateFault | undefined {
  const { kind } = fields
  const email = senderOf(config, fields)?.email
  const refuse = (reason: NonNullable<TemplateFault['reason']>, message: string) =>
    ({ ok: false, code: 'sender_domain_invalid', reason, message }) as const
  if (email === undefined) return undefined
  if (!isMailable(email)) return refuse('address_invalid', 'fromEmail must be a mail address')
  const domain = domainOf(email)
  const domains = Object.entries(config.senderDomains ?? {})
  if (domains.length === 0) return undefined
  const found = domains.find(([name]) => name.toLowerCase() === domain)
  const known = domains.map(([name, one]) => `${name} (${one.kind})`).join(', ')
  if (found === undefined) {
    return refuse('domain_unknown', `${domain} is not a sender domain; these are: ${known}`)
  }
  const [, { kind: allowed }] = found
  if (allowed === 'both' || allowed === kind) return undefined
  return refuse('kind_mismatch', `${domain} must not send ${kind} mail; the domains are: ${known}`)
}
