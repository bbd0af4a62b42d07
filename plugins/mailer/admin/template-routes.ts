// Templates in the admin API: reading, drafts, previews, test mails, publishing.
import { Type } from '@keelson/sdk'
import { audit } from '../audit/audit.ts'
import { fieldChangeSchema } from '../changes/changes-between.ts'
import { defined } from '../defined.ts'
import { sendTestMail, type TestMailRequest } from '../sends/test-mail.ts'
import { compareTemplate } from '../templates/compare-versions.ts'
import {
  changeDraft,
  createTemplate,
  deleteTemplate,
  duplicateTemplate
} from '../templates/edit-template.ts'
import { type PreviewRequest, previewTemplate } from '../templates/preview-template.ts'
import { publishTemplate, rollbackTemplate } from '../templates/publish-template.ts'
import {
  getTemplate,
  getVersion,
  listTemplates,
  listVersions
} from '../templates/read-templates.ts'
import {
  type AdminRoute,
  answered,
  comparedOf,
  editOf,
  fieldsOf,
  notFound,
  numberOf,
  slugOf
} from './admin-route.ts'

/** Routes below `/templates`. */
export const templateRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/templates',
    summary: 'Templates, newest-updated first',
    handler: async ({ context }) => ({ body: await listTemplates(context) })
  },
  {
    method: 'POST',
    path: '/templates',
    summary: 'Makes a template',
    handler: async ({ context, body, acting }) =>
      answered(await createTemplate(context, body as never, acting), (made) => made.template, 201)
  },
  {
    method: 'GET',
    path: '/templates/:slug',
    summary: 'A template',
    handler: async ({ context, params }) => {
      const template = await getTemplate(context, slugOf({ params }))
      if (template === null) return notFound('The template')
      return { body: template, revision: template.revision }
    }
  },
  {
    method: 'DELETE',
    path: '/templates/:slug',
    summary: 'Deletes a template that nothing uses',
    handler: async ({ context, params, acting }) =>
      answered(await deleteTemplate(context, slugOf({ params }), acting), () => ({ ok: true }))
  },
  {
    method: 'PATCH',
    path: '/templates/:slug/draft',
    summary: 'Changes the draft',
    handler: async (call) => {
      const { context, params, body, acting } = call
      const by = { ...acting, ...editOf(call) }
      return answered(await changeDraft(context, slugOf({ params }), body as never, by), () => ({
        ok: true
      }))
    }
  },
  {
    method: 'POST',
    path: '/templates/:slug/duplicate',
    summary: 'Copies a template',
    handler: async ({ context, params, body, acting }) =>
      answered(
        await duplicateTemplate(context, slugOf({ params }), body as never, acting),
        (made) => made.template,
        201
      )
  },
  {
    method: 'GET',
    path: '/templates/:slug/versions',
    summary: 'Published versions, newest first',
    handler: async ({ context, params, query }) => {
      const before = numberOf(query['before'])
      const page = before === undefined ? {} : { before }
      return { body: await listVersions(context, slugOf({ params }), page) }
    }
  },
  {
    method: 'GET',
    path: '/templates/:slug/versions/:version',
    summary: 'A version as it was published',
    handler: async ({ context, params }) => {
      const version = await getVersion(context, slugOf({ params }), Number(params['version']))
      return version === null ? notFound('The version') : { body: version }
    }
  },
  {
    method: 'GET',
    path: '/templates/:slug/diff',
    summary: 'What differs between `from` and `to`: a version, draft or published',
    response: Type.Object({ changes: Type.Array(fieldChangeSchema) }),
    handler: async (call) =>
      answered(
        await compareTemplate(call.context, slugOf(call), comparedOf(call)),
        ({ changes }) => ({ changes })
      )
  },
  {
    method: 'POST',
    path: '/templates/:slug/preview',
    summary: 'Renders a template for a contact',
    handler: async ({ context, params, body }) =>
      answered(
        await previewTemplate(context, slugOf({ params }), fieldsOf(body) as PreviewRequest),
        ({ mail, contact }) => ({
          subject: mail.subject,
          preheader: mail.preheader,
          html: mail.html,
          plainText: mail.text,
          contact: { externalId: contact.externalId, email: contact.email }
        })
      )
  },
  {
    method: 'POST',
    path: '/templates/:slug/send-test',
    summary: 'Sends a test mail',
    handler: async ({ context, params, body, acting }) => {
      const { to, contactId, useDraft, sampleData, eventProperties } = fieldsOf(body)
      const { contact, vars } = fieldsOf(sampleData)
      const request = defined({
        contactId,
        useDraft,
        sampleContact: contact,
        vars,
        eventProperties
      })
      const slug = slugOf({ params })
      const mail = { ...request, templateSlug: slug, to: typeof to === 'string' ? to : '' }
      const result = await sendTestMail(context, mail as TestMailRequest)
      if (result.ok) {
        const resource = { collection: context.collections.templates.collectionName, slug }
        await audit(context, { ...acting, action: 'template.send-test', resource, after: { to } })
      }
      return answered(result, ({ providerId }) => ({ ok: true, providerId }))
    }
  },
  {
    method: 'POST',
    path: '/templates/:slug/publish',
    summary: 'Publishes the draft',
    permission: 'canPublish',
    handler: async ({ context, params, body, acting }) =>
      answered(
        await publishTemplate(context, slugOf({ params }), { ...acting, options: fieldsOf(body) }),
        ({ version, warnings, reports }) => ({ ok: true, version, warnings, ...reports })
      )
  },
  {
    method: 'POST',
    path: '/templates/:slug/rollback',
    summary: 'Publishes an earlier version once more',
    permission: 'canPublish',
    handler: async ({ context, params, body, acting }) =>
      answered(
        await rollbackTemplate(
          context,
          slugOf({ params }),
          Number(fieldsOf(body)['version']),
          acting
        ),
        ({ version, warnings, reports }) => ({ ok: true, version, warnings, ...reports })
      )
  }
]
