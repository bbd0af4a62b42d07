// Setup checks of the settings: senders and their domains, and the postal address.

import { templateFault } from '../../content/templates/template-faults.ts'
import type { MailKind } from '../../contracts/mailer-core.ts'
import type { SetupCheck, SetupResult } from '../../contracts/mailer-setup-check.ts'
import type { ResolvedConfig } from '../../ledger/check-config.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { fine, line, say } from './sentences.ts'

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

/** What keeps the default sender from sending mail of a kind. */
export function senderFaultOf(config: ResolvedConfig, kind: MailKind): string | undefined {
  const none = { fromName: '', fromEmail: '', replyTo: null }
  return templateFault({ ...none, kind }, config)?.message
}

function senderResult(config: ResolvedConfig, kind: MailKind, email: string): SetupResult {
  const fault = senderFaultOf(config, kind)
  const may = kind === 'marketing' ? 'setup.marketingSender' : 'setup.transactionalSender'
  if (fault === undefined) return fine(say(may, { email }))
  return line('error', say('setup.senderWrong', { email, fault }), say('setup.senderHint'))
}

function marketingSender(config: ResolvedConfig): SetupResult {
  const { fromDefaults } = config
  if (fromDefaults !== undefined) return senderResult(config, 'marketing', fromDefaults.email)
  return line('warn', say('setup.noSender'), say('setup.noSenderHint'))
}

function transactionalSender(config: ResolvedConfig): SetupResult {
  const { transactionalFromDefaults: sender } = config
  if (sender !== undefined) return senderResult(config, 'transactional', sender.email)
  return fine(say('setup.sameSender'))
}

function transactionalFallback(config: ResolvedConfig): SetupResult {
  const { fromDefaults, transactionalFromDefaults } = config
  if (transactionalFromDefaults !== undefined) return fine(say('setup.ownSender'))
  if (fromDefaults !== undefined) return senderResult(config, 'transactional', fromDefaults.email)
  return fine(say('setup.noFallback'))
}

function postalAddress({ senderAddress }: ResolvedConfig): SetupResult {
  if (senderAddress !== undefined) return fine(say('setup.address'))
  return line('warn', say('setup.noAddress'), say('setup.noAddressHint'))
}
