// Setup checks of the settings: senders and their domains, and the postal address.

import { templateFault } from '../../content/templates/template-faults.ts'
import type { MailKind } from '../../contracts/mailer-core.ts'
import type { SetupCheck, SetupResult } from '../../contracts/mailer-setup-check.ts'
import type { ResolvedConfig } from '../../ledger/check-config.ts'
import type { MailerContext } from '../../ledger/context.ts'

/** Checks of the settings. */
export function configurationChecks({ config }: MailerContext): readonly SetupCheck[] {
  return [
    {
      name: 'from_defaults_marketing',
      label: 'Sender of marketing mail',
      run: () => marketingSender(config)
    },
    {
      name: 'transactional_from_defaults',
      label: 'Sender of transactional mail',
      run: () => transactionalSender(config)
    },
    {
      name: 'transactional_fallback',
      label: 'Transactional mail without a sender',
      run: () => transactionalFallback(config)
    },
    { name: 'postal_address', label: 'Postal address', run: () => postalAddress(config) }
  ]
}

const ok = (message: string): SetupResult => ({ severity: 'ok', message })

/** What keeps the default sender from sending mail of a kind. */
export function senderFaultOf(config: ResolvedConfig, kind: MailKind): string | undefined {
  const none = { fromName: '', fromEmail: '', replyTo: null }
  return templateFault({ ...none, kind }, config)?.message
}

function senderResult(config: ResolvedConfig, kind: MailKind, email: string): SetupResult {
  const fault = senderFaultOf(config, kind)
  if (fault === undefined) return ok(`${email} may send ${kind} mail.`)
  const hint = 'Add the domain to senderDomains with that kind, or change the sender.'
  return { severity: 'error', message: `${fault}.`, hint }
}

function marketingSender(config: ResolvedConfig): SetupResult {
  const { fromDefaults } = config
  if (fromDefaults !== undefined) return senderResult(config, 'marketing', fromDefaults.email)
  return {
    severity: 'warn',
    message: 'There is no default sender: every template needs its own From address.',
    hint: 'Set fromDefaults in the config of the mailer.'
  }
}

function transactionalSender(config: ResolvedConfig): SetupResult {
  const { transactionalFromDefaults: sender } = config
  if (sender !== undefined) return senderResult(config, 'transactional', sender.email)
  return ok('Transactional mail is sent by the sender of marketing mail.')
}

function transactionalFallback(config: ResolvedConfig): SetupResult {
  const { fromDefaults, transactionalFromDefaults } = config
  if (transactionalFromDefaults !== undefined) return ok('Transactional mail has its own sender.')
  if (fromDefaults !== undefined) return senderResult(config, 'transactional', fromDefaults.email)
  return ok('There is no default sender to fall back to.')
}

function postalAddress({ senderAddress }: ResolvedConfig): SetupResult {
  if (senderAddress !== undefined) return ok('A postal address is set.')
  return {
    severity: 'warn',
    message: 'There is no postal address, which many countries require in marketing mail.',
    hint: 'Set senderAddress, and use {{senderAddress}} in templates.'
  }
}
