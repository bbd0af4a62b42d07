// Setup checks of templates: the senders of those that are published, and the mail of double opt-in.

import { listTemplates } from '../../content/templates/read-templates.ts'
import { templateFault } from '../../content/templates/template-faults.ts'
import type { SetupCheck, SetupItem, SetupResult } from '../../contracts/mailer-setup-check.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { fine, line, say } from './sentences.ts'

/** Checks of templates. */
export function templateChecks(context: MailerContext): readonly SetupCheck[] {
  return [
    {
      name: 'published_template_domains',
      label: 'Senders of published templates',
      run: () => publishedSenders(context)
    },
    { name: 'doi_template', label: 'Confirmation mail', run: () => confirmationMail(context) }
  ]
}

async function publishedSenders(context: MailerContext): Promise<SetupResult> {
  const templates = await listTemplates(context)
  const published = templates.filter(({ version }) => version > 0)
  const items = published.flatMap((template): SetupItem[] => {
    const fault = templateFault(template, context.config)
    if (fault === undefined) return []
    return [{ label: template.slug, severity: 'error', message: `${fault.message}.` }]
  })
  if (items.length === 0) {
    return fine(say('setup.templates', { count: published.length }))
  }
  const counts = { count: items.length, all: published.length }
  return { ...line('error', say('setup.templatesWrong', counts)), items }
}

async function confirmationMail({ config, collections }: MailerContext): Promise<SetupResult> {
  const { requireDoubleOptIn, doiTemplateSlug: slug } = config
  if (!requireDoubleOptIn) return fine(say('setup.doiOff'))
  const found = await collections.templates.findOne({ slug }, { projection: { version: 1 } })
  if ((found?.version ?? 0) > 0) return fine(say('setup.doi', { template: slug }))
  return line('error', say('setup.doiMissing', { template: slug }), say('setup.doiHint'))
}
