// Templates in the admin API: reading, drafts, previews, test mails, publishing.
import { Type } from '@keelson/sdk'
import { checkTemplate } from '../content/templates/check-template.ts'
import { compareTemplate } from '../content/templates/compare-versions.ts'
import {
  changeDraft,
  createTemplate,
  deleteTemplate,
  duplicateTemplate
} from '../content/templates/edit-template.ts'
import type { DraftChange } from '../content/templates/plan-draft.ts'
import { type PreviewRequest, previewTemplate } from '../content/templates/preview-template.ts'
import { publishTemplate, rollbackTemplate } from '../content/templates/publish-template.ts'
import {
  getTemplate,
  getVersion,
  listTemplates,
  listVersions
} from '../content/templates/read-templates.ts'
import { sendTestMail, type TestMailRequest } from '../delivery/sends/test-mail.ts'
import { audit } from '../ledger/audit/audit.ts'
import { fieldChangeSchema } from '../ledger/changes-between.ts'
import { defined } from '../ledger/defined.ts'
import { draftChangeSchema, previewSchema, testMailSchema } from '../ledger/template-input.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRefusal,
  type AdminRoute,
  answered,
  bodyOf,
  comparedOf,
  editOf,
  fieldsOf,
  notFound,
  numberOf,
  slugOf
} from './admin-route.ts'

const warnings = Type.Array(
  Type.Object({
    message: Type.String(),
    line: Type.Optional(Type.Integer()),
    tagName: Type.Optional(Type.String()),
    formattedMessage: Type.Optional(Type.String())
  })
)

const previewed = Type.Object({
  subject: Type.String(),
  preheader: Type.String(),
  html: Type.String(),
  plainText: Type.String(),
  fromName: Type.String(),
  fromEmail: Type.String(),
  replyTo: Type.Union([Type.String(), Type.Null()]),
  contact: Type.Object({ externalId: Type.String(), email: Type.String() }),
  warnings
})

const checked = Type.Object({
  /** null: it would be published. Else `error`, `message` and what a gate adds, as `lint`. */
  refusal: Type.Unknown(),
  warnings,
  /** What gates add to a publish that goes through, as `lint`. */
  reports: Type.Unknown(),
  variables: Type.Array(
    Type.Object({
      path: Type.String(),
      isUsed: Type.Boolean(),
      spec: Type.Optional(Type.Unknown())
    })
  )
})

async function sendTest(call: AdminCall): Promise<AdminAnswer | AdminRefusal> {
  const { context, acting } = call
  const { to, sampleData, ...request } = bodyOf(call, testMailSchema)
  const { contact: sampleContact, vars } = sampleData ?? {}
  const slug = slugOf(call)
  const mail = { ...request, ...defined({ sampleContact, vars }), templateSlug: slug, to }
  const result = await sendTestMail(context, mail as TestMailRequest)
  if (result.ok) {
    const resource = { collection: context.collections.templates.collectionName, slug }
    await audit(context, { ...acting, action: 'template.send-test', resource, after: { to } })
  }
  return answered(result, ({ providerId }) => ({ ok: true, providerId }))
}

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
    summary: 'Renders a template for a contact, with changes that are not saved',
    response: previewed,
    handler: async (call) =>
      answered(
        await previewTemplate(
          call.context,
          slugOf(call),
          bodyOf(call, previewSchema) as PreviewRequest
        ),
        ({ mail: { text: plainText, ...mail }, contact, warnings }) => ({
          ...mail,
          plainText,
          contact,
          warnings
        })
      )
  },
  {
    method: 'POST',
    path: '/templates/:slug/check',
    summary: 'What publishing would answer, with changes that are not saved',
    response: checked,
    handler: async (call) => {
      const change = bodyOf(call, draftChangeSchema) as DraftChange
      return answered(
        await checkTemplate(call.context, slugOf(call), change, call.acting),
        ({ ok: _ok, ...check }) => check
      )
    }
  },
  {
    method: 'POST',
    path: '/templates/:slug/send-test',
    summary: 'Sends a test mail, with changes that are not saved',
    handler: sendTest
  },
  {
    method: 'POST',
    path: '/templates/:slug/publish',
    summary: 'Publishes the draft',
    permission: 'canPublish',
    handler: async (call) => {
      const request = { ...call.acting, ...editOf(call), options: fieldsOf(call.body) }
      return answered(
        await publishTemplate(call.context, slugOf(call), request),
        ({ version, warnings, reports }) => ({ ok: true, version, warnings, ...reports })
      )
    }
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
