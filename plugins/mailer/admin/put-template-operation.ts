// A template put as a whole, in the admin API: published at once.
import { answered, type Call, operation } from '@keelson/sdk'
import { putTemplate, templateDocumentSchema } from '../content/templates/put-template.ts'
import { actingOf } from '../ledger/acting.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import { type AdminHost, access, MAIL_API, slugParams } from './admin-operation.ts'
import { PUBLISH_FAULTS, refusalOf } from './publish-refusals.ts'
import { putTemplateSchema } from './template-answers.ts'

/** Below `/templates`. */
export const putOperation = operation({
  id: 'mailer.templates.put',
  method: 'PUT',
  base: MAIL_API,
  path: '/templates/:slug',
  summary: 'Publishes a whole document: makes the template, or replaces what is published',
  access: access.publish,
  effect: 'change',
  hints: { destructive: true, idempotent: true },
  params: slugParams,
  body: templateDocumentSchema,
  bodyLimit: 8 * 1024 * 1024,
  status: [200, 201],
  answer: putTemplateSchema,
  errors: refusals.only('bad_id', 'not_found', ...PUBLISH_FAULTS),
  async run({ params: { slug }, body }, { host, actor }: Call<AdminHost>) {
    const acting = actingOf(actor)
    const { publishedBy = acting.actor } = body
    const result = await putTemplate(host.context, slug, body, { ...acting, publishedBy })
    if (!result.ok) return refusalOf(result)
    const { created, template, reports } = result
    return answered({ created, template, reports }, { status: created ? 201 : 200 })
  }
})
