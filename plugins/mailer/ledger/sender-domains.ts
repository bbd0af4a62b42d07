// The domains that a mailer sends from. Pure.
import type { SenderDomain } from '../contracts/mailer-core.ts'
import { domainOf } from './address.ts'
import type { ResolvedConfig } from './check-config.ts'

/** The registered domains, then those of the default From addresses, each once. */
export function senderDomains(
  config: Pick<ResolvedConfig, 'senderDomains' | 'fromDefaults' | 'transactionalFromDefaults'>
): readonly SenderDomain[] {
  const { senderDomains: registered = {}, fromDefaults, transactionalFromDefaults } = config
  const domains = new Map<string, SenderDomain>()
  for (const [name, { kind }] of Object.entries(registered)) {
    const domain = name.toLowerCase()
    domains.set(domain, { domain, kind })
  }
  const defaults = [
    [fromDefaults, transactionalFromDefaults === undefined ? 'both' : 'marketing'],
    [transactionalFromDefaults, 'transactional']
  ] as const
  for (const [sender, kind] of defaults) {
    if (sender === undefined) continue
    const domain = domainOf(sender.email)
    if (domains.get(domain) !== undefined) continue
    domains.set(domain, { domain, kind, isUnregistered: true })
  }
  return [...domains.values()]
}
