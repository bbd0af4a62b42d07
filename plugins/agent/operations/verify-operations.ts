// Verification for agents: one template for one contact, or all of them for several.
import { setImmediate } from 'node:timers/promises'
import { listTemplates, type PreviewRequest } from '@keelson/mailer'
import { Type } from '@keelson/sdk'
import { type Refusal, refused } from '../answers/refusal.ts'
import {
  checkShape,
  contactReferenceShape,
  flag,
  maybeObject,
  number,
  object,
  text
} from '../answers/shapes.ts'
import { linksIn } from '../verify/links-in.ts'
import { openVerification, type Verification, verifyTemplate } from '../verify/verify-template.ts'
import { contactReference } from './contact-guard.ts'
import { answer, type Operation, type OperationAnswer, type OperationCall } from './operation.ts'
import { renderBody } from './template-operations.ts'

const SHOWN_LINKS = 50
const MOST_CONTACTS = 50
const MOST_TEMPLATES = 500
/** Verified in one turn of the event loop. */
const AT_ONCE = 5

const isOk = ({ checks }: Pick<Verification, 'checks'>) =>
  checks.every(({ status }) => status !== 'fail')

async function verify({ agent, params, body }: OperationCall): Promise<OperationAnswer | Refusal> {
  const { includeRendered, ...request } = body
  const slug = params['slug'] ?? ''
  const result = await verifyTemplate(agent.context, slug, request as PreviewRequest)
  if (!result.ok) return result
  const { template, contact, mail, checks } = result
  const links = linksIn(mail?.html ?? '')
  return answer({
    ok: isOk(result),
    template: { slug, kind: template.kind, name: template.name },
    contact: contactReference(contact),
    checks,
    links: { total: links.length, sample: links.slice(0, SHOWN_LINKS) },
    rendered: mail === null ? null : shown(mail, includeRendered === true)
  })
}

function shown(mail: NonNullable<Verification['mail']>, isWhole: boolean) {
  const { subject, preheader, html, text, fromEmail, fromName, replyTo } = mail
  if (isWhole) return { subject, preheader, html, plainText: text, fromEmail, fromName, replyTo }
  const sizes = { htmlBytes: Buffer.byteLength(html), textLength: text.length }
  return { subject, preheader, ...sizes, fromEmail }
}

interface VerifyAllBody {
  readonly contactIds: readonly string[]
  readonly slugs?: readonly string[]
  readonly eventProperties?: Readonly<Record<string, unknown>>
}

async function verifyAll({
  agent,
  body,
  progress
}: OperationCall): Promise<OperationAnswer | Refusal> {
  const { contactIds, slugs, eventProperties } = body as unknown as VerifyAllBody
  const contacts = await agent.context.adapter.getBatch([...contactIds])
  const unknown = contactIds.find((contactId) => !contacts.has(contactId))
  if (unknown !== undefined)
    return refused('contact_not_found', { message: `There is no contact ${unknown}.` })
  const chosen = slugs ?? (await publishedSlugs(agent))
  const total = chosen.length * contacts.size
  const results: ReturnType<typeof lineOf>[] = []
  for (const slug of chosen) {
    if (agent.signal.aborted) break
    progress?.(results.length, total, `Verified ${results.length} of ${total}.`)
    const opened = await openVerification(agent.context, slug)
    if (!opened.ok) return opened
    for (const slice of slices([...contacts], AT_ONCE)) {
      const found = slice.map(async ([contactId, contact]) => {
        const request = { contactId, ...(eventProperties && { eventProperties }) }
        return lineOf(slug, contactId, await opened.for(contact, request))
      })
      results.push(...(await Promise.all(found)))
      // Rendering does not wait for anything: other requests get their turn here.
      await setImmediate()
    }
  }
  const failing = results.filter(({ ok }) => !ok).length
  const counts = { templates: chosen.length, contacts: contacts.size }
  return answer({ ok: failing === 0, ...counts, verified: results.length, failing, results })
}

const publishedSlugs = async ({ context }: OperationCall['agent']) =>
  (await listTemplates(context)).filter(({ version }) => version > 0).map(({ slug }) => slug)

function* slices<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

function lineOf(slug: string, contactId: string, { checks }: Verification) {
  const having = (wanted: string) =>
    checks.filter(({ status }) => status === wanted).map(({ id }) => id)
  const failed = having('fail')
  return { slug, contactId, ok: failed.length === 0, failed, warned: having('warn') }
}

const ids = (maxItems: number, maxLength: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength }), { minItems: 1, maxItems, uniqueItems: true })

/** Verification, below `/templates`. */
export const verifyOperations: readonly Operation[] = [
  {
    tool: 'verify_template',
    method: 'POST',
    path: '/templates/:slug/verify',
    summary: 'Renders the published version for a contact and checks it; sends nothing',
    scope: 'mail:read',
    output: Type.Object({
      ok: flag,
      template: object,
      contact: contactReferenceShape,
      checks: Type.Array(checkShape),
      links: object,
      rendered: maybeObject
    }),
    body: Type.Object(
      { ...renderBody.properties, includeRendered: Type.Optional(Type.Boolean()) },
      { additionalProperties: false }
    ),
    run: verify
  },
  {
    tool: 'verify_all_templates',
    method: 'POST',
    path: '/templates/verify-all',
    isLong: true,
    summary: 'Verifies templates for several contacts',
    scope: 'mail:read',
    output: Type.Object({
      ok: flag,
      templates: number,
      contacts: number,
      verified: number,
      failing: number,
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
    body: Type.Object(
      {
        contactIds: ids(MOST_CONTACTS, 256),
        slugs: Type.Optional(ids(MOST_TEMPLATES, 128)),
        eventProperties: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
      },
      { additionalProperties: false }
    ),
    run: verifyAll
  }
]
