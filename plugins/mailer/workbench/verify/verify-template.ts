// Verifies the published version of a template: renders it for a contact, judges it, asks the checks of plugins.
import { type Refused, within } from '@keelson/sdk'
import {
  openPublished,
  type PublishedPreview,
  previewContact
} from '../../content/templates/preview-template.ts'
import { getTemplate } from '../../content/templates/read-templates.ts'
import { referencedPaths } from '../../content/templates/referenced-paths.ts'
import { templateFault } from '../../content/templates/template-faults.ts'
import type { MailContact, TemplateContent } from '../../contracts/mailer-core.ts'
import type { RenderedMail, VerifyCheck } from '../../contracts/mailer-verify-check.ts'
import type {
  MailCheck,
  ShownFor,
  TemplateVerification,
  VerifiedMail
} from '../../contracts/workbench-states.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { mailRefusals } from '../../ledger/refusals.ts'
import type { TemplateRow } from '../../ledger/template-rows.ts'
import { judgeMail } from './judge-mail.ts'
import { linksIn } from './links-in.ts'

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

/** Reads and prepares the published version, for any number of contacts. */
export async function openVerification(
  context: MailerContext,
  slug: string
): Promise<TemplateVerification | Refused<'template_not_found'>> {
  const row = await getTemplate(context, slug)
  if (row === null) return mailRefusals.refuse('template_not_found')
  const verify = await verifierOf(context, row)
  const template = { slug, kind: row.kind, name: row.name }
  return {
    ok: true,
    template,
    async for({ contact, ...request }) {
      if (contact !== undefined) return verify(contact, request)
      const found = await previewContact(context, request)
      return found.ok ? verify(found.contact, request) : found
    }
  }
}

type Verifier = (contact: MailContact, request: ShownFor) => Promise<VerifiedMail>

async function verifierOf(context: MailerContext, template: TemplateRow): Promise<Verifier> {
  const published = await openPublished(context, template)
  if (!published.ok) return async (contact) => failedAt(contact, published)
  const paths = printedPaths(published)
  const senderProblem = senderProblemOf(context, template)
  const content = once(() => context.core.template(template.slug, 'published'))
  return async (contact, request) => {
    const preview = await published.render(contact, { ...request, reason: 'test' })
    if (!preview.ok) return failedAt(contact, preview)
    const { mail } = preview
    const stages = STAGES.map((id): MailCheck => ({ id, status: 'pass' }))
    const values = valuesOf(context, { published, paths, preview, request })
    const { senderAddress } = context.config
    const judged = judgeMail({ kind: template.kind, mail, values, senderAddress, senderProblem })
    const vars = request.vars ?? {}
    const asked = await askPlugins(context, { mail, contact, vars, content })
    const checks = [...stages, ...judged, ...asked]
    return { ok: true, contact, mail, links: linksIn(mail.html), checks }
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
  contact: MailContact,
  { code, message }: Extract<Preview, { readonly ok: false }>
): VerifiedMail {
  const failed = FAILED_CHECK[code] ?? 'render'
  const at = STAGES.indexOf(failed)
  const checks = STAGES.slice(0, at + 1).map(
    (id): MailCheck => (id === failed ? { id, status: 'fail', message } : { id, status: 'pass' })
  )
  return { ok: true, contact, mail: null, links: [], checks }
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
  readonly request: ShownFor
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
): Promise<readonly MailCheck[]> {
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
): Promise<MailCheck | null> {
  const { id } = check
  const controller = new AbortController()
  const given = { now: clock.now(), signal: controller.signal, mailer: core }
  const overdue = () => new Error(`it did not answer within ${TIMEOUT_MS / 1000} s`)
  try {
    const run = (async () => check.run(subject, given))()
    const result = await within(run, { deadline: { ms: TIMEOUT_MS, overdue } })
    return result === null ? null : { id, ...result }
  } catch (error) {
    log.warn({ err: error, check: id }, 'mailer: a verify check failed')
    return { id, status: 'fail', message: `The check failed: ${(error as Error).message}` }
  } finally {
    controller.abort()
  }
}
