// Templates in the admin API: reading, drafts, previews, test mails, publishing.
import { answered, type Call, type Operation, operation, Type } from '@keelson/sdk'
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
import { namedUses } from '../content/templates/template-uses.ts'
import { sendTestMail, type TestMailRequest } from '../content/templates/test-mail.ts'
import { actingOf } from '../ledger/acting.ts'
import { audit } from '../ledger/audit/audit.ts'
import { inputs } from '../ledger/checked-input.ts'
import { defined } from '../ledger/defined.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import {
  draftChangeSchema,
  newTemplateSchema,
  previewSchema,
  testMailSchema
} from '../ledger/template-input.ts'
import {
  type AdminHost,
  access,
  changesSchema,
  done,
  limitParameter,
  MAIL_API,
  missing,
  slugParams,
  versionSchema
} from './admin-operation.ts'
import { comparedQuery, comparedStates } from './compared-states.ts'
import { PUBLISH_FAULTS, published, TEMPLATE_FAULTS } from './publish-refusals.ts'
import { putOperation } from './put-template-operation.ts'
import {
  publishedSchema,
  templateCheckSchema,
  templateLineSchema,
  templatePreviewSchema,
  templateSchema,
  templateUseSchema,
  templateVersionLineSchema,
  templateVersionSchema
} from './template-answers.ts'

const base = MAIL_API
const SLUG = '/templates/:slug'
const RENDER_FAULTS = [
  'not_published',
  'compile_failed',
  'contact_not_found',
  'vars_resolve_failed'
] as const
const list = operation({
  id: 'mailer.templates.list',
  method: 'GET',
  base,
  path: '/templates',
  summary: 'Templates, newest-updated first',
  access: access.read,
  effect: 'read',
  query: Type.Object({ limit: limitParameter(500, 500) }),
  answer: Type.Array(templateLineSchema),
  run: ({ query }, { host }: Call<AdminHost>) => listTemplates(host.context, query)
})

const create = operation({
  id: 'mailer.templates.create',
  method: 'POST',
  base,
  path: '/templates',
  summary: 'Makes a template',
  access: access.change,
  effect: 'change',
  body: newTemplateSchema,
  status: 201,
  answer: templateSchema,
  errors: refusals.only('slug_taken'),
  async run({ body }, { host, actor }: Call<AdminHost>) {
    const made = await createTemplate(host.context, body, actingOf(actor))
    return made.ok ? made.template : made
  }
})

const read = operation({
  id: 'mailer.templates.read',
  method: 'GET',
  base,
  path: SLUG,
  summary: 'A template',
  access: access.read,
  effect: 'read',
  params: slugParams,
  answer: templateSchema,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug } }, { host }: Call<AdminHost>) {
    const template = await getTemplate(host.context, slug)
    if (template === null) return missing('template')
    return answered(template, { revision: template.revision })
  }
})

const remove = operation({
  id: 'mailer.templates.delete',
  method: 'DELETE',
  base,
  path: SLUG,
  summary: 'Deletes a template that nothing uses',
  access: access.change,
  effect: 'change',
  hints: { destructive: true },
  params: slugParams,
  answer: done,
  errors: refusals.only('bad_id', 'not_found', 'conflict', 'draft_conflict', 'template_in_use'),
  async run({ params: { slug } }, { host, actor }: Call<AdminHost>) {
    const deleted = await deleteTemplate(host.context, slug, actingOf(actor))
    return deleted.ok ? { ok: true as const } : deleted
  }
})

const draft = operation({
  id: 'mailer.templates.changeDraft',
  method: 'PATCH',
  base,
  path: `${SLUG}/draft`,
  summary: 'Changes the draft',
  access: access.change,
  effect: 'change',
  hints: { idempotent: true },
  params: slugParams,
  body: draftChangeSchema,
  answer: done,
  errors: refusals.only('bad_id', 'not_found', 'conflict', 'draft_conflict', ...TEMPLATE_FAULTS),
  async run({ params: { slug }, body }, { host, actor, ifRevision }: Call<AdminHost>) {
    const by = { ...actingOf(actor), ...defined({ ifRevision }) }
    const changed = await changeDraft(host.context, slug, body, by)
    if (!changed.ok) return changed
    return answered({ ok: true as const }, { revision: changed.revision })
  }
})

const duplicate = operation({
  id: 'mailer.templates.duplicate',
  method: 'POST',
  base,
  path: `${SLUG}/duplicate`,
  summary: 'Copies a template',
  access: access.change,
  effect: 'change',
  params: slugParams,
  body: Type.Object(
    { slug: inputs.slug, name: Type.Optional(newTemplateSchema.properties.name) },
    { additionalProperties: false }
  ),
  status: 201,
  answer: templateSchema,
  errors: refusals.only('bad_id', 'not_found', 'slug_taken'),
  async run({ params: { slug }, body }, { host, actor }: Call<AdminHost>) {
    const made = await duplicateTemplate(host.context, slug, body, actingOf(actor))
    return made.ok ? made.template : made
  }
})

const versions = operation({
  id: 'mailer.templates.listVersions',
  method: 'GET',
  base,
  path: `${SLUG}/versions`,
  summary: 'Published versions, newest first',
  access: access.read,
  effect: 'read',
  params: slugParams,
  query: Type.Object({ before: Type.Optional(versionSchema) }),
  answer: Type.Array(templateVersionLineSchema),
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug }, query }, { host: { context } }: Call<AdminHost>) {
    const found = await listVersions(context, slug, query)
    const isKnown = found.length > 0 || (await getTemplate(context, slug)) !== null
    return isKnown ? found : missing('template')
  }
})

const version = operation({
  id: 'mailer.templates.readVersion',
  method: 'GET',
  base,
  path: `${SLUG}/versions/:version`,
  summary: 'A version as it was published',
  access: access.read,
  effect: 'read',
  params: Type.Object({ ...slugParams.properties, version: versionSchema }),
  answer: templateVersionSchema,
  errors: refusals.only('bad_id', 'not_found'),
  run: async ({ params: { slug, version } }, { host }: Call<AdminHost>) =>
    (await getVersion(host.context, slug, version)) ?? missing('version')
})

const diff = operation({
  id: 'mailer.templates.compare',
  method: 'GET',
  base,
  path: `${SLUG}/diff`,
  summary: 'What differs between `from` and `to`: a version, draft or published',
  access: access.read,
  effect: 'read',
  params: slugParams,
  query: comparedQuery,
  answer: changesSchema,
  errors: refusals.only('bad_id', 'not_found', 'version_not_found'),
  async run({ params: { slug }, query }, { host }: Call<AdminHost>) {
    const compared = await compareTemplate(host.context, slug, comparedStates(query))
    return compared.ok ? { changes: compared.changes } : compared
  }
})

const uses = operation({
  id: 'mailer.templates.listUses',
  method: 'GET',
  base,
  path: `${SLUG}/uses`,
  summary: 'The flows, programs and broadcasts that send a template',
  access: access.read,
  effect: 'read',
  params: slugParams,
  answer: Type.Array(templateUseSchema),
  errors: refusals.only('bad_id'),
  run: ({ params: { slug } }, { host }: Call<AdminHost>) => namedUses(host.context, slug)
})

const preview = operation({
  id: 'mailer.templates.preview',
  method: 'POST',
  base,
  path: `${SLUG}/preview`,
  summary: 'Renders a template for a contact, with changes that are not saved',
  access: access.read,
  effect: 'read',
  params: slugParams,
  body: previewSchema,
  bodyLimit: 4 * 1024 * 1024,
  answer: templatePreviewSchema,
  errors: refusals.only('bad_id', 'not_found', ...RENDER_FAULTS),
  async run({ params: { slug }, body }, { host }: Call<AdminHost>) {
    const shown = await previewTemplate(host.context, slug, body as PreviewRequest)
    if (!shown.ok) return shown
    const { text: plainText, ...mail } = shown.mail
    const { contact, warnings, values } = shown
    return { ...mail, plainText, contact, variables: values(), warnings }
  }
})

const check = operation({
  id: 'mailer.templates.check',
  method: 'POST',
  base,
  path: `${SLUG}/check`,
  summary: 'What publishing would answer, with changes that are not saved',
  access: access.read,
  effect: 'read',
  params: slugParams,
  body: draftChangeSchema,
  bodyLimit: 4 * 1024 * 1024,
  answer: templateCheckSchema,
  errors: refusals.only('bad_id', 'not_found'),
  run: ({ params: { slug }, body }, { host, actor }: Call<AdminHost>) =>
    checkTemplate(host.context, slug, body as DraftChange, actingOf(actor))
})

const sendTest = operation({
  id: 'mailer.templates.sendTest',
  method: 'POST',
  base,
  path: `${SLUG}/send-test`,
  summary: 'Sends a test mail, with changes that are not saved',
  access: access.change,
  effect: 'send',
  hints: { mails: true, once: true },
  params: slugParams,
  body: testMailSchema,
  bodyLimit: 4 * 1024 * 1024,
  answer: Type.Object({ ok: Type.Literal(true), providerId: Type.String() }),
  errors: refusals.only('bad_id', 'not_found', 'provider_failed', ...RENDER_FAULTS),
  async run({ params: { slug }, body }, { host: { context }, actor }: Call<AdminHost>) {
    const { to, sampleData, ...request } = body
    const { contact: sampleContact, vars } = sampleData ?? {}
    const mail = { ...request, ...defined({ sampleContact, vars }), templateSlug: slug, to }
    const sent = await sendTestMail(context, mail as TestMailRequest)
    if (!sent.ok) return sent
    const resource = { collection: context.collections.templates.collectionName, slug }
    const entry = { action: 'template.send-test', resource, after: { to } }
    await audit(context, { ...actingOf(actor), ...entry })
    return { ok: true as const, providerId: sent.providerId }
  }
})

const publish = operation({
  id: 'mailer.templates.publish',
  method: 'POST',
  base,
  path: `${SLUG}/publish`,
  summary: 'Publishes the draft',
  access: access.publish,
  effect: 'change',
  params: slugParams,
  body: Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
    maxProperties: 20,
    description: 'For gates of other plugins, as `{ "bypassContentScorer": true }`.'
  }),
  answer: publishedSchema,
  errors: refusals.only('bad_id', 'not_found', ...PUBLISH_FAULTS),
  async run({ params: { slug }, body }, { host, actor, ifRevision }: Call<AdminHost>) {
    const request = { ...actingOf(actor), ...defined({ ifRevision }), options: body }
    return published(await publishTemplate(host.context, slug, request))
  }
})

const rollback = operation({
  id: 'mailer.templates.rollback',
  method: 'POST',
  base,
  path: `${SLUG}/rollback`,
  summary: 'Publishes an earlier version once more',
  access: access.publish,
  effect: 'change',
  params: slugParams,
  body: Type.Object({ version: versionSchema }, { additionalProperties: false }),
  answer: publishedSchema,
  errors: refusals.only('bad_id', 'not_found', ...PUBLISH_FAULTS),
  run: async ({ params: { slug }, body: { version } }, { host, actor }: Call<AdminHost>) =>
    published(await rollbackTemplate(host.context, slug, version, actingOf(actor)))
})

/** The operations of templates. */
export const templateOperations: readonly Operation<AdminHost>[] = [
  list,
  create,
  read,
  remove,
  draft,
  duplicate,
  versions,
  version,
  diff,
  uses,
  preview,
  check,
  sendTest,
  publish,
  putOperation,
  rollback
]
