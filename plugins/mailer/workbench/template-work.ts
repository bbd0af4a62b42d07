// Templates at the workbench: rendered and verified as contacts would get them.
import { previewTemplate } from '../content/templates/preview-template.ts'
import type { TemplateWork } from '../contracts/mailer-workbench.ts'
import type { MailerContext } from '../ledger/context.ts'
import { mailRefusals } from '../ledger/refusals.ts'
import { openVerification } from './verify/verify-template.ts'

/** The part of the workbench about templates. */
export const templateWork = (context: MailerContext): TemplateWork => ({
  async show(slug, request) {
    const result = await previewTemplate(context, slug, {
      ...request,
      useDraft: false,
      reason: 'test'
    })
    if (!result.ok) {
      const { message } = result
      return result.code === 'not_found'
        ? mailRefusals.refuse('template_not_found', { message })
        : result
    }
    const { mail, contact, template, roots: resolvedVars } = result
    const { kind, version } = template
    return { ok: true, template: { slug, kind, version }, contact, mail, resolvedVars }
  },
  verification: (slug) => openVerification(context, slug)
})
