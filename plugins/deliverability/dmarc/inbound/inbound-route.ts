// The inbound route: a mail service posts each report mail here. The secret is checked before the body is read.

import { type DmarcInbound, type MailerCore, mailerDmarcInbound } from '@keelson/mailer/contracts'
import { type Host, KeelsonError, refuse, systemActor } from '@keelson/sdk'
import type { FastifyReply } from 'fastify'
import { recordComplaints } from '../complaints/record-complaints.ts'
import type { DmarcContext } from '../context.ts'
import { type DmarcHook, mailerDmarcHook } from '../contracts.ts'
import { type Ingested, type IngestOptions, ingestDmarcAttachment } from '../ingest/ingest-file.ts'
import { storeFeedback } from '../ingest/store-feedback.ts'
import type { GivenFile, RefusedFile } from '../reading/read-file.ts'
import { BUSY_SECONDS, isBusy } from '../reading/reader.ts'
import { allowedDomains } from './allowed-domains.ts'
import { askHooks } from './ask-hooks.ts'
import { hasSecret } from './check-secret.ts'
import { type InboundForm, readForm } from './read-form.ts'

/** A mail service has posted the report: DMARC itself tells the mailer of it. */
const INBOUND = systemActor('dmarc', 'inbound')

export const INBOUND_PATH = '/m/inbound/dmarc'

const NOT_FOUND = { error: 'not_found', message: 'There is nothing at this address.' }
const UNAUTHORIZED = { error: 'unauthorized', message: 'The secret is missing or wrong.' }

/** Registers the route, and offers it to routers. Without a secret it answers as if it were not there. */
export function serveInbound(host: Host, context: DmarcContext, mailer: MailerCore): void {
  const { secret } = context.config.inbound
  const inbound = createInbound(() => host.contributions(mailerDmarcHook), context, mailer)
  host.extend(mailerDmarcInbound, inbound)
  host.route({
    method: 'POST',
    path: INBOUND_PATH,
    verify({ headers }) {
      if (secret === undefined) return refuse({ status: 404, body: NOT_FOUND })
      if (inbound.isAllowed(headers.authorization, secret)) return { via: 'secret' }
      return refuse({ status: 401, body: UNAUTHORIZED })
    },
    handler: (request, reply) => inbound.take(request, reply, {})
  })
}

/** What an option leaves out is as the config of the plugin says. */
function createInbound(
  hooks: () => readonly DmarcHook[],
  context: DmarcContext,
  mailer: MailerCore
): DmarcInbound {
  return {
    isAllowed: hasSecret,
    async take(request, reply, { parseInbound, ...given }) {
      const limits = { ...context.config.inbound, ...given }
      const own = parseInbound === undefined ? [] : [{ name: 'host', parseInbound }]
      const asked = await askHooks([...own, ...hooks()], request, limits)
      const form = asked ?? (await readForm(request, limits))
      if (!form.ok) {
        const error = form.status === 413 ? 'upload_rejected' : 'bad_request'
        return reply.code(form.status).send({ error, message: form.message })
      }
      try {
        return answer(reply, await take(context, mailer, form, limits.allowedDomains))
      } catch (error) {
        if (!(error instanceof Error) || !isBusy(error)) throw error
        // What was stored is known when the mail comes again.
        const body = { error: 'busy', message: error.message }
        return reply.code(503).header('retry-after', String(BUSY_SECONDS)).send(body)
      }
    }
  }
}

interface Taken {
  readonly reports: readonly Ingested[]
  readonly rejected: readonly RefusedFile[]
  /** Whether the mail had anything that could be a report. */
  readonly isRelevant: boolean
}

async function take(
  context: DmarcContext,
  mailer: MailerCore,
  { files, feedback, from }: Extract<InboundForm, { readonly ok: true }>,
  given: readonly string[] | undefined
): Promise<Taken> {
  const domains = mailer.senderDomains().map(({ domain }) => domain)
  const allowed = allowedDomains(given, domains)
  const isAllowed = (domain: string) => allowed.has(domain)
  const reports: Ingested[] = []
  const rejected: RefusedFile[] = []
  for (const file of files) {
    const found = await tryIngest(context, file, { via: 'inbound', isAllowed, from })
    reports.push(...found.reports)
    rejected.push(...found.rejected)
  }
  const isForeign = feedback?.reportedDomain != null && !isAllowed(feedback.reportedDomain)
  if (feedback !== undefined && !isForeign) {
    reports.push(await storeFeedback(context, feedback, { via: 'inbound', filename: 'mail' }))
  }
  const acting = mailer.as(INBOUND)
  await recordComplaints({ ...context, mailer: acting }, reports, context.clock.now())
  // A mail that is only an answer of a person or a machine is nothing to complain about.
  const isOnlyMail = files.every(({ filename }) => filename === 'mail.eml')
  const isReply = isOnlyMail && rejected.every(({ code }) => code === 'DMR_FORMAT')
  return { reports, rejected, isRelevant: reports.length > 0 || !isReply || isForeign }
}

async function tryIngest(context: DmarcContext, file: GivenFile, options: IngestOptions) {
  try {
    return await ingestDmarcAttachment(context, file, options)
  } catch (error) {
    if (!KeelsonError.is(error) || !error.code.startsWith('DMR_')) throw error
    if (isBusy(error)) throw error
    const { code, message } = error
    return { reports: [], rejected: [{ filename: file.filename, code, message }] }
  }
}

function answer(reply: FastifyReply, { reports, rejected, isRelevant }: Taken): FastifyReply {
  if (!isRelevant) {
    const ignored = 'The mail has no file that could be a report.'
    return reply.send({ ok: true, ingested: 0, ignored })
  }
  if (reports.length === 0) {
    const [first] = rejected
    const message = first?.message ?? 'The report is about a domain that is not yours.'
    return reply.code(400).send({ error: 'ingest_failed', message, rejected })
  }
  return reply.send({ ok: true, ingested: reports.map(ingestedView), rejected })
}

function ingestedView({ kind, key, report, duplicate }: Ingested) {
  if (kind !== 'aggregate') return { kind, key, duplicate }
  const { reportId, policy } = report
  return { kind, key, duplicate, reportId, domain: policy.domain }
}
