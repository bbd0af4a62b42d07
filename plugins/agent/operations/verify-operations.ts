// Verification for agents: one template for one contact, or all of them for several.
import { setImmediate } from 'node:timers/promises'
import type { ShownFor, VerifiedMail } from '@keelson/mailer/contracts'
import { type Call, closed, type Operation, operation, Type } from '@keelson/sdk'
import {
  type Acting,
  type AgentHost,
  access,
  DOCUMENT_BYTES,
  slugParams,
  valuesInput
} from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import {
  contactReferenceSchema,
  flag,
  integer,
  maybeText,
  text,
  values
} from '../answers/shapes.ts'
import { contactReference } from './contact-guard.ts'
import { linksOf, renderBody } from './template-operations.ts'

const SHOWN_LINKS = 50
const MOST_CONTACTS = 50
const MOST_TEMPLATES = 500
/** Verified in one turn of the event loop. */
const AT_ONCE = 5

const isOk = ({ checks }: Pick<VerifiedMail, 'checks'>) =>
  checks.every(({ status }) => status !== 'fail')

const checkSchema = Type.Object(
  {
    id: text,
    status: Type.Enum(['pass', 'warn', 'fail']),
    message: Type.Optional(text),
    fix: Type.Optional(text),
    detail: Type.Optional(values)
  },
  { title: 'AgentCheck' }
)

const head = { subject: text, preheader: text, fromEmail: text }

const verify = operation({
  id: 'agent.templates.verify',
  method: 'POST',
  path: '/templates/:slug/verify',
  summary: 'Renders the published version for a contact and checks it; sends nothing',
  tool: 'verify_template',
  agent: true,
  access: access.read,
  effect: 'read',
  params: slugParams,
  body: Type.Object(
    { ...renderBody.properties, includeRendered: Type.Optional(Type.Boolean()) },
    closed
  ),
  bodyLimit: DOCUMENT_BYTES,
  answer: Type.Object(
    {
      ok: flag,
      template: Type.Object({ slug: text, kind: text, name: text }),
      contact: contactReferenceSchema,
      checks: Type.Array(checkSchema),
      links: Type.Object({ total: integer, sample: Type.Array(text) }),
      rendered: Type.Union([
        Type.Object({ ...head, htmlBytes: integer, textLength: integer }),
        Type.Object({ ...head, html: text, plainText: text, fromName: text, replyTo: maybeText }),
        Type.Null()
      ])
    },
    { title: 'AgentVerification' }
  ),
  errors: refusals.only('template_not_found', 'contact_not_found'),
  async run({ params: { slug }, body }, { host, actor }: Call<AgentHost>) {
    const { includeRendered = false, ...given } = body
    const opened = await host.workbench.as(actor).verification(slug)
    if (!opened.ok) return opened
    const result = await opened.for({ ...given, ...linksOf(host.boundary) } as ShownFor)
    if (!result.ok) return result
    const { contact, mail, links, checks } = result
    return {
      ok: isOk(result),
      template: opened.template,
      contact: contactReference(contact),
      checks,
      links: { total: links.length, sample: links.slice(0, SHOWN_LINKS) },
      rendered: mail === null ? null : shown(mail, includeRendered)
    }
  }
})

function shown(mail: NonNullable<VerifiedMail['mail']>, isWhole: boolean) {
  const { subject, preheader, html, text, fromEmail, fromName, replyTo } = mail
  if (isWhole) return { subject, preheader, html, plainText: text, fromEmail, fromName, replyTo }
  const sizes = { htmlBytes: Buffer.byteLength(html), textLength: text.length }
  return { subject, preheader, ...sizes, fromEmail }
}

const names = (maxItems: number, maxLength: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength }), { minItems: 1, maxItems, uniqueItems: true })

const verifyAll = operation({
  id: 'agent.templates.verifyAll',
  method: 'POST',
  path: '/templates/verify-all',
  summary: 'Verifies templates for several contacts',
  tool: 'verify_all_templates',
  agent: true,
  access: access.read,
  effect: 'read',
  hints: { long: true },
  body: Type.Object(
    {
      contactIds: names(MOST_CONTACTS, 256),
      slugs: Type.Optional(names(MOST_TEMPLATES, 128)),
      eventProperties: Type.Optional(valuesInput)
    },
    closed
  ),
  answer: Type.Object({
    ok: flag,
    templates: integer,
    contacts: integer,
    verified: integer,
    failing: integer,
    results: Type.Array(
      Type.Object({
        slug: text,
        contactId: text,
        ok: flag,
        failed: Type.Array(text),
        warned: Type.Array(text)
      })
    )
  }),
  errors: refusals.only('template_not_found', 'contact_not_found'),
  async run({ body }, call: Call<AgentHost>) {
    const { host, actor, signal, progress } = call
    const { contactIds, slugs, eventProperties } = body
    const work = host.workbench.as(actor)
    const contacts = await work.contacts(contactIds)
    const unknown = contactIds.find((contactId) => !contacts.has(contactId))
    if (unknown !== undefined)
      return refusals.refuse('contact_not_found', { message: `There is no contact ${unknown}.` })
    const chosen = slugs ?? (await publishedSlugs(call))
    const total = chosen.length * contacts.size
    const results: ReturnType<typeof lineOf>[] = []
    for (const slug of chosen) {
      if (signal.aborted) break
      progress(results.length, total, `Verified ${results.length} of ${total}.`)
      const opened = await work.verification(slug)
      if (!opened.ok) return opened
      for (const slice of slices([...contacts], AT_ONCE)) {
        const found = slice.map(async ([contactId, contact]) => {
          const request = { contact, contactId, ...(eventProperties && { eventProperties }) }
          const verified = await opened.for(request)
          return verified.ok ? [lineOf(slug, contactId, verified)] : []
        })
        results.push(...(await Promise.all(found)).flat())
        // Rendering does not wait for anything: other requests get their turn here.
        await setImmediate()
      }
    }
    const failing = results.filter(({ ok }) => !ok).length
    const sizes = { templates: chosen.length, contacts: contacts.size }
    return { ok: failing === 0, ...sizes, verified: results.length, failing, results }
  }
})

async function publishedSlugs({ host, actor }: Acting): Promise<readonly string[]> {
  const listed = await host.operations.as(actor).call('mailer.templates.list', {})
  const templates = listed.ok ? listed.answer : []
  return templates.filter(({ version }) => version > 0).map(({ slug }) => slug)
}

function* slices<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

function lineOf(slug: string, contactId: string, { checks }: VerifiedMail) {
  const having = (wanted: string) =>
    checks.filter(({ status }) => status === wanted).map(({ id }) => id)
  const failed = having('fail')
  return { slug, contactId, ok: failed.length === 0, failed, warned: having('warn') }
}

/** Verification, below `/templates`. */
export const verifyOperations: readonly Operation<AgentHost>[] = [verify, verifyAll]
