// Verifies the published version of a template for one contact: renders it, judges it, asks the checks of plugins.
import {
  getTemplate,
  getVersion,
  type MailerContext,
  type PreviewRequest,
  previewTemplate,
  referencedPaths,
  type TemplateRow,
  templateFault
} from '@keelson/mailer'
import { within } from '@keelson/sdk'
import type { MailContact } from '@keelson/sdk/contracts/mailer-core'
import type { RenderedMail, VerifyCheck } from '@keelson/sdk/contracts/mailer-verify-check'
import { type Refusal, refused } from '../answers/refusal.ts'
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

type Preview = Awaited<ReturnType<typeof previewTemplate>>
type Rendered = Extract<Preview, { readonly ok: true }>

const TIMEOUT_MS = 10_000
const NO_CONTACT: MailContact = { externalId: '', email: '', tags: [], fields: {} }
/** Which check a failed rendering fails. */
const FAILED_CHECK: Readonly<Record<string, string>> = {
  not_published: 'published',
  vars_resolve_failed: 'vars_resolved',
  compile_failed: 'render'
}
const STAGES = ['published', 'vars_resolved', 'render']

/** Verifies for one contact. Nothing is written or sent. */
export async function verifyTemplate(
  context: MailerContext,
  slug: string,
  request: PreviewRequest
): Promise<Verification | Refusal> {
  const template = await getTemplate(context, slug)
  if (template === null) return refused('template_not_found')
  const preview = await previewTemplate(context, slug, {
    ...request,
    useDraft: false,
    reason: 'test'
  })
  if (!preview.ok) return failedPreview(context, template, preview, request)
  const { mail, contact } = preview
  const stages = STAGES.map((id): CheckResult => ({ id, status: 'pass' }))
  const values = await valuesOf(context, template, { preview, request })
  const senderProblem = senderProblemOf(context, template)
  const { senderAddress } = context.config
  const judged = judgeMail({ kind: template.kind, mail, values, senderAddress, senderProblem })
  const asked = await askPlugins(context, slug, { mail, contact, vars: request.vars ?? {} })
  return { ok: true, template, contact, mail, checks: [...stages, ...judged, ...asked] }
}

async function failedPreview(
  { adapter }: MailerContext,
  template: TemplateRow,
  { code, message }: Extract<Preview, { readonly ok: false }>,
  { contactId, sampleContact }: PreviewRequest
): Promise<Verification | Refusal> {
  if (code === 'contact_not_found') return refused('contact_not_found', { message })
  const failed = FAILED_CHECK[code]
  if (failed === undefined) return refused('template_not_found', { message })
  const known = contactId === undefined ? null : await adapter.getById(contactId)
  const contact = { ...NO_CONTACT, ...sampleContact, ...known }
  const at = STAGES.indexOf(failed)
  const checks = STAGES.slice(0, at + 1).map(
    (id): CheckResult => (id === failed ? { id, status: 'fail', message } : { id, status: 'pass' })
  )
  return { ok: true, template, contact, mail: null, checks }
}

function senderProblemOf({ config }: MailerContext, template: TemplateRow): string | undefined {
  const fault = templateFault(template, config)
  return fault?.code === 'sender_domain_invalid' ? fault.message : undefined
}

/** What the template prints, with the values of this rendering. */
async function valuesOf(
  context: MailerContext,
  { slug, version }: TemplateRow,
  { preview, request }: { readonly preview: Rendered; readonly request: PreviewRequest }
): Promise<ReadonlyMap<string, unknown>> {
  const published = await getVersion(context, slug, version)
  if (published === null) return new Map()
  const { subject, preheader, compiledHtml, compiledText, variablesSchema } = published
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
  const sources = [subject, preheader, compiledHtml, compiledText]
  const paths = new Set(sources.flatMap((source) => referencedPaths(source)))
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
}

async function askPlugins(
  context: MailerContext,
  slug: string,
  { mail, contact, vars }: Asked
): Promise<readonly CheckResult[]> {
  const checks = context.extensions.verifyChecks()
  const template = checks.length === 0 ? null : await context.core.template(slug, 'published')
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
