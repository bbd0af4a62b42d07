// Verification for agents: one template for one contact, or all of them for several.
import { listTemplates, type PreviewRequest } from '@keelson/mailer'
import { Type } from '@keelson/sdk'
import type { Refusal } from '../answers/refusal.ts'
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
import { type Verification, verifyTemplate } from '../verify/verify-template.ts'
import { contactOf, contactReference } from './contact-guard.ts'
import { answer, type Operation, type OperationAnswer, type OperationCall } from './operation.ts'
import { renderBody } from './template-operations.ts'

const SHOWN_LINKS = 50
const MOST_CONTACTS = 50
const MOST_TEMPLATES = 500
/** Verified side by side: the rest of the process goes on between them. */
const AT_ONCE = 8

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

async function verifyAll({
  agent,
  body,
  progress
}: OperationCall): Promise<OperationAnswer | Refusal> {
  const { contactIds, slugs, eventProperties } = body as {
    readonly contactIds: readonly string[]
    readonly slugs?: readonly string[]
    readonly eventProperties?: Readonly<Record<string, unknown>>
  }
  for (const contactId of contactIds) {
    const found = await contactOf(agent, contactId)
    if (!found.ok) return found
  }
  const chosen =
    slugs ??
    (await listTemplates(agent.context))
      .filter(({ version }) => version > 0)
      .map(({ slug }) => slug)
  const pairs = chosen.flatMap((slug) => contactIds.map((contactId) => ({ slug, contactId })))
  const results: object[] = []
  let failing = 0
  for (let at = 0; at < pairs.length && !agent.signal.aborted; at += AT_ONCE) {
    const batch = pairs.slice(at, at + AT_ONCE)
    progress?.(at, pairs.length, `Verified ${at} of ${pairs.length}.`)
    const found = await Promise.all(
      batch.map(({ slug, contactId }) =>
        verifyTemplate(agent.context, slug, {
          contactId,
          ...(eventProperties && { eventProperties })
        })
      )
    )
    for (const [index, result] of found.entries()) {
      if (!result.ok) return result
      const ok = isOk(result)
      if (!ok) failing++
      const ids = (wanted: string) =>
        result.checks.filter(({ status }) => status === wanted).map(({ id }) => id)
      results.push({ ...batch[index], ok, failed: ids('fail'), warned: ids('warn') })
    }
  }
  const counts = { templates: chosen.length, contacts: contactIds.length }
  return answer({ ok: failing === 0, ...counts, verified: results.length, failing, results })
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
