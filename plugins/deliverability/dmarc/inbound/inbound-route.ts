// The inbound route: a mail service posts each report mail here. The secret is checked before the body is read.

import type { MailerCore } from '@keelson/mailer/contracts'
import { type Host, KeelsonError, refuse, systemActor } from '@keelson/sdk'
import type { FastifyReply } from 'fastify'
import { recordComplaints } from '../complaints/record-complaints.ts'
import type { DmarcContext } from '../context.ts'
import { mailerDmarcHook } from '../contracts.ts'
import { type Ingested, ingestDmarcAttachment } from '../ingest/ingest-file.ts'
import { storeFeedback } from '../ingest/store-feedback.ts'
import type { GivenFile, RefusedFile } from '../reading/read-file.ts'
import { allowedDomains } from './allowed-domains.ts'
import { askHooks } from './ask-hooks.ts'
import { hasSecret } from './check-secret.ts'
import { type InboundForm, readForm } from './read-form.ts'

/** A mail service has posted the report: DMARC itself tells the mailer of it. */
const INBOUND = systemActor('dmarc', 'inbound')

export const INBOUND_PATH = '/m/inbound/dmarc'

const NOT_FOUND = { error: 'not_found', message: 'There is nothing at this address.' }
const UNAUTHORIZED = { error: 'unauthorized', message: 'The secret is missing or wrong.' }

/** Registers the route. Without a secret it answers as if it were not there. */
export function serveInbound(host: Host, context: DmarcContext, mailer: MailerCore): void {
  const { secret, ...limits } = context.config.inbound
  host.route({
    method: 'POST',
    path: INBOUND_PATH,
    verify({ headers }) {
      if (secret === undefined) return refuse({ status: 404, body: NOT_FOUND })
      if (hasSecret(headers.authorization, secret)) return { via: 'secret' }
      return refuse({ status: 401, body: UNAUTHORIZED })
    },
    async handler(request, reply) {
      const hooks = host.contributions(mailerDmarcHook)
      const form = (await askHooks(hooks, request, limits)) ?? (await readForm(request, limits))
      if (!form.ok) {
        const error = form.status === 413 ? 'upload_rejected' : 'bad_request'
        return reply.code(form.status).send({ error, message: form.message })
      }
      return answer(reply, await take(context, mailer, form))
    }
  })
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
  { files, feedback }: Extract<InboundForm, { readonly ok: true }>
): Promise<Taken> {
  const domains = mailer.senderDomains().map(({ domain }) => domain)
  const allowed = allowedDomains(context.config.inbound.allowedDomains, domains)
  const isAllowed = (domain: string) => allowed.has(domain)
  const reports: Ingested[] = []
  const rejected: RefusedFile[] = []
  for (const file of files) {
    const found = await tryIngest(context, file, isAllowed)
    reports.push(...found.reports)
    rejected.push(...found.rejected)
  }
  const isForeign = feedback?.reportedDomain != null && !isAllowed(feedback.reportedDomain)
  if (feedback !== undefined && !isForeign) {
    reports.push(await storeFeedback(context, feedback, { via: 'inbound', filename: 'mail' }))
  }
  await recordComplaints(mailer.as(INBOUND), reports, context.clock.now())
  // A mail that is only an answer of a person or a machine is nothing to complain about.
  const isOnlyMail = files.every(({ filename }) => filename === 'mail.eml')
  const isReply = isOnlyMail && rejected.every(({ code }) => code === 'DMR_FORMAT')
  return { reports, rejected, isRelevant: reports.length > 0 || !isReply || isForeign }
}

async function tryIngest(
  context: DmarcContext,
  file: GivenFile,
  isAllowed: (domain: string) => boolean
) {
  try {
    return await ingestDmarcAttachment(context, file, { via: 'inbound', isAllowed })
  } catch (error) {
    if (!KeelsonError.is(error) || !error.code.startsWith('DMR_')) throw error
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
