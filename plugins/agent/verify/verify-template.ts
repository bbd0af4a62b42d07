// Verifies the published version of a template for one contact: renders it, judges it, asks the checks of plugins.
import {
  getTemplate,
  type MailerContext,
  openPublished,
  type PreviewRequest,
  type PublishedPreview,
  previewContact,
  referencedPaths,
  type TemplateRow,
  templateFault
} from '@keelson/mailer'
import type {
  MailContact,
  RenderedMail,
  TemplateContent,
  VerifyCheck
} from '@keelson/mailer/contracts'
import { type Refused, within } from '@keelson/sdk'
import { refusals } from '../answers/refusals.ts'
import { type CheckResult, judgeMail } from './judge-mail.ts'

/** What verifying came to. */
export interface Verification {
  readonly ok: true
  readonly template: TemplateRow
  readonly contact: MailContact
  /** null when it could not be rendered. */
  readonly mail: RenderedMail | null
  readonly checks: readonly CheckResult[]
}

type Preview = Awaited<ReturnType<PublishedPreview['render']>>
type Rendered = Extract<Preview, { readonly ok: true }>

const TIMEOUT_MS = 10_000
/** Which check a failed rendering fails. */
const FAILED_CHECK: Readonly<Record<string, string>> = {
  not_published: 'published',
  vars_resolve_failed: 'vars_resolved',
  compile_failed: 'render'
}
const STAGES = ['published', 'vars_resolved', 'render']

/** Whom a template is verified for; without `contactId` the contact is a sample. */
export type VerifyRequest = Pick<
  PreviewRequest,
  'contactId' | 'vars' | 'eventProperties' | 'worksFor'
>

/** A published template that is read and prepared once, and verified for any number of contacts. */
export interface OpenVerification {
  readonly ok: true
  for(contact: MailContact, request: VerifyRequest): Promise<Verification>
}

/** Verifies for one contact. Nothing is written or sent. */
export async function verifyTemplate(
  context: MailerContext,
  slug: string,
  request: PreviewRequest
): Promise<Verification | Refused<'template_not_found' | 'contact_not_found'>> {
  const opened = await openVerification(context, slug)
  if (!opened.ok) return opened
  const found = await previewContact(context, request)
  if (!found.ok) return refusals.refuse('contact_not_found', { message: found.message })
  return opened.for(found.contact, request)
}

/** Reads and prepares the published version. */
export async function openVerification(
  context: MailerContext,
  slug: string
): Promise<OpenVerification | Refused<'template_not_found'>> {
  const template = await getTemplate(context, slug)
  if (template === null) return refusals.refuse('template_not_found')
  const published = await openPublished(context, template)
  if (!published.ok)
    return { ok: true, for: async (contact) => failedAt({ template, contact }, published) }
  const paths = printedPaths(published)
  const senderProblem = senderProblemOf(context, template)
  const content = once(() => context.core.template(slug, 'published'))
  return {
    ok: true,
    async for(contact, request) {
      const preview = await published.render(contact, { ...request, reason: 'test' })
      if (!preview.ok) return failedAt({ template, contact }, preview)
      const { mail } = preview
      const stages = STAGES.map((id): CheckResult => ({ id, status: 'pass' }))
      const values = valuesOf(context, { published, paths, preview, request })
      const { senderAddress } = context.config
      const judged = judgeMail({ kind: template.kind, mail, values, senderAddress, senderProblem })
      const vars = request.vars ?? {}
      const asked = await askPlugins(context, { mail, contact, vars, content })
      return { ok: true, template, contact, mail, checks: [...stages, ...judged, ...asked] }
    }
  }
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read()
    return reading
  }
}

function failedAt(
  subject: Pick<Verification, 'template' | 'contact'>,
  { code, message }: Extract<Preview, { readonly ok: false }>
): Verification {
  const failed = FAILED_CHECK[code] ?? 'render'
  const at = STAGES.indexOf(failed)
  const checks = STAGES.slice(0, at + 1).map(
    (id): CheckResult => (id === failed ? { id, status: 'fail', message } : { id, status: 'pass' })
  )
  return { ok: true, ...subject, mail: null, checks }
}

function senderProblemOf({ config }: MailerContext, template: TemplateRow): string | undefined {
  const fault = templateFault(template, config)
  return fault?.code === 'sender_domain_invalid' ? fault.message : undefined
}

function printedPaths({ version }: PublishedPreview): ReadonlySet<string> {
  const { subject, preheader, compiledHtml, compiledText } = version
  const sources = [subject, preheader, compiledHtml, compiledText]
  return new Set(sources.flatMap((source) => referencedPaths(source)))
}

interface Printed {
  readonly published: PublishedPreview
  readonly paths: ReadonlySet<string>
  readonly preview: Rendered
  readonly request: VerifyRequest
}

/** What the template prints, with the values of this rendering. */
function valuesOf(
  context: MailerContext,
  { published, paths, preview, request }: Printed
): ReadonlyMap<string, unknown> {
  const { variablesSchema } = published.version
  const defaults = Object.entries(variablesSchema).map(([name, spec]) => [name, spec.defaultValue])
  const { unsubscribeUrl } = preview.mail
  const roots: Readonly<Record<string, unknown>> = {
    ...preview.roots,
    contact: preview.contact,
    vars: { ...Object.fromEntries(defaults), ...request.vars },
    event: { name: 'preview', properties: request.eventProperties ?? {} },
    unsubscribeUrl,
    preferencesUrl: unsubscribeUrl,
    preferenceCenterUrl: unsubscribeUrl,
    viewInBrowserUrl: 'view',
    senderAddress: context.config.senderAddress ?? ''
  }
  return new Map([...paths].map((path) => [path, valueAt(roots, path)]))
}

const valueAt = (roots: unknown, path: string): unknown =>
  path.split(/[./]/).reduce<unknown>((value, key) => {
    const isHolder = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    return isHolder ? (value as Readonly<Record<string, unknown>>)[key] : undefined
  }, roots)

interface Asked {
  readonly mail: RenderedMail
  readonly contact: MailContact
  readonly vars: Readonly<Record<string, unknown>>
  content(): Promise<TemplateContent | null>
}

async function askPlugins(
  context: MailerContext,
  { mail, contact, vars, content }: Asked
): Promise<readonly CheckResult[]> {
  const checks = context.extensions.verifyChecks()
  const template = checks.length === 0 ? null : await content()
  if (template === null) return []
  const subject = { template, contact, rendered: mail, vars }
  const results = await Promise.all(checks.map((check) => asked(context, check, subject)))
  return results.filter((result) => result !== null)
}

async function asked(
  { clock, core, log }: MailerContext,
  check: VerifyCheck,
  subject: Parameters<VerifyCheck['run']>[0]
): Promise<CheckResult | null> {
  const { id } = check
  const controller = new AbortController()
  const given = { now: clock.now(), signal: controller.signal, mailer: core }
  const overdue = () => new Error(`it did not answer within ${TIMEOUT_MS / 1000} s`)
  try {
    const run = (async () => check.run(subject, given))()
    const result = await within(run, { deadline: { ms: TIMEOUT_MS, overdue } })
    return result === null ? null : { id, ...result }
  } catch (error) {
    log.warn({ err: error, check: id }, 'agent: a verify check failed')
    return { id, status: 'fail', message: `The check failed: ${(error as Error).message}` }
  } finally {
    controller.abort()
  }
}
