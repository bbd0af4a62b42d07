// Setup checks of templates: the senders of those that are published, and the mail of double opt-in.

import { listTemplates } from '../../content/templates/read-templates.ts'
import { templateFault } from '../../content/templates/template-faults.ts'
import type { SetupCheck, SetupItem, SetupResult } from '../../contracts/mailer-setup-check.ts'
import type { MailerContext } from '../../ledger/context.ts'

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
    return { severity: 'ok', message: `${published.length} published templates may be sent.` }
  }
  const message = `${items.length} of ${published.length} published templates do not fit the settings.`
  return { severity: 'error', message, items }
}

async function confirmationMail({ config, collections }: MailerContext): Promise<SetupResult> {
  const { requireDoubleOptIn, doiTemplateSlug: slug } = config
  if (!requireDoubleOptIn) return { severity: 'ok', message: 'Double opt-in is off.' }
  const found = await collections.templates.findOne({ slug }, { projection: { version: 1 } })
  if ((found?.version ?? 0) > 0)
    return { severity: 'ok', message: `The template ${slug} is published.` }
  return {
    severity: 'error',
    message: `The template ${slug} is not published, so no subscription can be confirmed.`,
    hint: 'Publish a transactional template with that slug and a link to {{vars.confirmDoiUrl}}.'
  }
}
