// Renders a template outside a send: previews, test mails, checks. Nothing is written, nothing is tracked.
import { unknown, type VersionRefusal } from '@keelson/sdk/versions'
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { RenderedMail } from '../../contracts/mailer-verify-check.ts'
import { senderOf } from '../../delivery/sends/compose-mail.ts'
import { mailAddresses } from '../../delivery/sends/mail-addresses.ts'
import { type ResolvedVariables, resolveVariables } from '../../delivery/sends/resolve-variables.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import type { VarsRequest } from '../../ledger/host-code.ts'
import type { MailTexts } from '../../ledger/mail-texts.ts'
import type { PreparedTemplate } from '../../ledger/prepared-template.ts'
import type { TemplateRow, TemplateVersionRow } from '../../ledger/template-rows.ts'
import { brandFields } from '../brands/keep-brands.ts'
import type { CompileWarning } from './compile-body.ts'
import { compileTemplate } from './compile-template.ts'
import { compilerOf, prepareOptions } from './compiler-of.ts'
import { type DraftChange, unsavedDraft } from './plan-draft.ts'
import { type PreparableVersion, prepareTemplate } from './prepare-template.ts'
import { getTemplate, getVersion } from './read-templates.ts'
import { referencedPaths } from './referenced-paths.ts'
import { type VariableValue, valuesOf } from './variable-values.ts'

/** What is rendered, and for whom. Changes that are not saved apply to the draft. */
export interface PreviewRequest extends DraftChange {
  /**
   * Default true; false: the published version, unless the request has a body. Subject and preheader of the request
   * take the place of its own.
   */
  readonly useDraft?: boolean
  /** A contact of the host; its variables are resolved. Default: the sample contact, without them. */
  readonly contactId?: string
  readonly sampleContact?: Partial<MailContact>
  readonly vars?: Readonly<Record<string, unknown>>
  readonly eventProperties?: Readonly<Record<string, unknown>>
  /** Default `preview`. */
  readonly reason?: VarsRequest['reason']
  /** Whose links really work, as those of test contacts do. Default: they look alike and change nothing. */
  readonly worksFor?: (email: string) => boolean
}

/** A failure that callers expect. */
export type PreviewFailure =
  | VersionRefusal<'not_found'>
  | { readonly ok: false; readonly code: 'not_published'; readonly message: string }
  | { readonly ok: false; readonly code: 'compile_failed'; readonly message: string }
  | {
      readonly ok: false
      readonly code: 'contact_not_found'
      readonly message: string
      readonly contactId: string
    }
  | Extract<ResolvedVariables, { ok: false }>

/** What rendering came to. */
export type PreviewResult =
  | {
      readonly ok: true
      readonly mail: RenderedMail
      readonly contact: MailContact
      readonly template: PreparedTemplate
      readonly warnings: readonly CompileWarning[]
      /** What the host resolved for this contact. */
      readonly roots: Readonly<Record<string, unknown>>
      /** What each variable is for this contact. */
      values(): readonly VariableValue[]
    }
  | PreviewFailure

const SAMPLE: MailContact = {
  externalId: 'sample',
  email: 'sample@example.test',
  tags: [],
  fields: { firstName: 'Sam', lastName: 'Sample' }
}
/** No send has this id. */
const NO_SEND = '0'.repeat(24)

/** Renders a draft, a published version or unsaved content for one contact. */
export async function previewTemplate(
  context: MailerContext,
  slug: string,
  request: PreviewRequest = {}
): Promise<PreviewResult> {
  const row = await getTemplate(context, slug)
  if (row === null) return unknown('template', slug)
  const found = await previewContact(context, request)
  if (!found.ok) return found
  const content = await contentFor(context, row, request)
  if (!content.ok) return content
  return renderFor(context, preparedContent(context, content), {
    contact: found.contact,
    request
  })
}

/** A published version, read and prepared once, to be rendered for any number of contacts. */
export interface PublishedPreview {
  readonly ok: true
  readonly row: TemplateRow
  readonly version: TemplateVersionRow
  /** `contact` is what `previewContact` found. */
  render(contact: MailContact, request: PreviewRequest): Promise<PreviewResult>
}

/** Opens the published version of a template. */
export async function openPublished(
  context: MailerContext,
  row: TemplateRow
): Promise<PublishedPreview | Extract<PreviewFailure, { readonly code: 'not_published' }>> {
  const version = await getVersion(context, row.slug, row.version)
  if (version === null) return notPublished(row.slug)
  const prepared = preparedContent(context, {
    version: withoutRequired(version),
    warnings: []
  })
  const render: PublishedPreview['render'] = (contact, request) =>
    renderFor(context, prepared, { contact, request })
  return { ok: true, row, version, render }
}

/** The contact that a request names, or the sample contact with what the request changes. */
export async function previewContact(
  { adapter }: Pick<MailerContext, 'adapter'>,
  { contactId, sampleContact }: Pick<PreviewRequest, 'contactId' | 'sampleContact'>
): Promise<
  | { readonly ok: true; readonly contact: MailContact }
  | Extract<PreviewFailure, { readonly code: 'contact_not_found' }>
> {
  if (contactId === undefined) return { ok: true, contact: { ...SAMPLE, ...sampleContact } }
  const contact = await adapter.getById(contactId)
  if (contact !== null) return { ok: true, contact }
  const message = `There is no contact ${contactId}`
  return { ok: false, code: 'contact_not_found', message, contactId }
}

interface Prepared extends Omit<Content, 'ok'> {
  readonly template:
    | { readonly ok: true; readonly prepared: PreparedTemplate }
    | { readonly ok: false; readonly code: 'compile_failed'; readonly message: string }
}

/** A version may have a helper that this process does not have. */
function preparedContent(context: MailerContext, content: Omit<Content, 'ok'>): Prepared {
  try {
    const prepared = prepareTemplate(content.version, prepareOptions(context))
    return { ...content, template: { ok: true, prepared } }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { ...content, template: { ok: false, code: 'compile_failed', message } }
  }
}

async function renderFor(
  context: MailerContext,
  { version, warnings, template: made }: Prepared,
  { contact, request }: { readonly contact: MailContact; readonly request: PreviewRequest }
): Promise<PreviewResult> {
  const resolved = await rootsFor(context, contact, { slug: version.slug, request })
  if (!resolved.ok) return resolved
  if (!made.ok) return made
  const template = made.prepared
  const send = { ...version, _id: NO_SEND }
  const facts = { config: context.config, send, email: contact.email, now: context.clock.now() }
  const untracked = { bodyFormat: version.bodyFormat, trackOpens: false, trackClicks: false }
  const isPreview = request.worksFor?.(contact.email) !== true
  const addresses = mailAddresses({ ...facts, template: untracked, isPreview })
  const { vars = {}, eventProperties } = request
  const event = eventProperties && { name: 'preview', properties: eventProperties }
  const { roots } = resolved
  const rendered = template.render({ contact, vars, roots, addresses, ...(event && { event }) })
  if (!rendered.ok) return { ok: false, code: 'compile_failed', message: rendered.message }
  const { subject, preheader, html = '', text } = rendered.mail
  const { replyTo } = template
  const from = senderOf(context.config, template)
  const { name: fromName, email: fromEmail } = from ?? { name: template.fromName, email: '' }
  const { unsubscribeUrl } = addresses
  const mail = { subject, preheader, fromName, fromEmail, replyTo, html, text, unsubscribeUrl }
  const { senderAddress } = context.config
  const values = () =>
    valuesOf(
      pathsIn(version),
      { ...roots, contact, vars, event: eventProperties, senderAddress },
      version.variablesSchema
    )
  return { ok: true, mail, contact, template, warnings, roots, values }
}

const pathsIn = ({ subject, preheader, compiledHtml, compiledText }: PreparableVersion) =>
  [subject, preheader, compiledHtml, compiledText].flatMap((text) => referencedPaths(text))

type Content = {
  readonly ok: true
  readonly version: PreparableVersion
  readonly warnings: readonly CompileWarning[]
}

async function contentFor(
  context: MailerContext,
  row: TemplateRow,
  request: PreviewRequest
): Promise<Content | PreviewFailure> {
  const { useDraft = true, contactId: _, sampleContact: _s, vars: _v, ...rest } = request
  const { eventProperties: _e, reason: _r, worksFor: _w, ...change } = rest
  const { html, mjml, editorJson } = change
  const isBody = html !== undefined || mjml !== undefined || (editorJson ?? null) !== null
  if (!useDraft && !isBody) return publishedContent(context, row, change)
  const edited = unsavedDraft(row, change)
  const result = await compileTemplate(await brandFields(context, edited), compilerOf(context))
  if (!result.ok) return result
  const { html: compiledHtml, text: compiledText, bodyHash, warnings } = result.compiled
  const compiled = { compiledHtml, compiledText, bodyHash }
  const version = { ...edited, ...compiled, slug: row.slug, version: row.version }
  return { ok: true, version: withoutRequired(version), warnings }
}

async function publishedContent(
  context: MailerContext,
  { slug, version }: TemplateRow,
  { subject, preheader }: MailTexts
): Promise<Content | PreviewFailure> {
  const published = await getVersion(context, slug, version)
  if (published === null) return notPublished(slug)
  const texts = defined({ subject, preheader })
  return { ok: true, version: { ...withoutRequired(published), ...texts }, warnings: [] }
}

const notPublished = (slug: string) =>
  ({
    ok: false,
    code: 'not_published',
    message: `The template ${slug} has no published version`
  }) as const

/** A preview shows what there is; a variable that is missing is empty. */
function withoutRequired(version: PreparableVersion): PreparableVersion {
  const specs = Object.entries(version.variablesSchema)
  const lenient = specs.map(([name, spec]) => [name, { ...spec, required: false }])
  return { ...version, variablesSchema: Object.fromEntries(lenient) }
}

interface Asking {
  readonly slug: string
  readonly request: PreviewRequest
}

function rootsFor(context: MailerContext, contact: MailContact, { slug, request }: Asking) {
  const { contactId, eventProperties, reason = 'preview' } = request
  if (contactId === undefined) return { ok: true, roots: {} } as const
  const properties = eventProperties === undefined ? {} : { eventProperties }
  return resolveVariables(context, contact, { reason, templateSlug: slug, ...properties })
}
