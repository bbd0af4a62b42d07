// The route of "view in browser": the mail rendered again for its recipient, by a signed address.
import { escapeHtml } from '@keelson/ui/server'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { PublicPages } from '../../audience/contacts/pages/public-pages.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { RenderedContent } from '../../ledger/prepared-template.ts'
import { PRIVATE } from '../../ledger/public-route.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { renderAgain } from '../sends/render-again.ts'
import { isTrackingAlive, parseSignedPath } from '../sends/tracking-addresses.ts'
import { isSignature, trackingSignature } from '../sends/tracking-signature.ts'

/** A mail brings its own styles and images; nothing in it may run, post or be framed. */
const POLICY = [
  "default-src 'none'",
  'img-src http: https: data:',
  "style-src 'unsafe-inline' https:",
  'font-src https: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-popups allow-popups-to-escape-sandbox'
].join('; ')

/** Prepares the route. */
export function viewRoutes(context: MailerContext, pages: PublicPages): RouteOptions[] {
  return [
    {
      method: 'GET',
      url: '/view/*',
      ...PRIVATE,
      async handler(request, reply) {
        if (isOfPreview(context, request)) return pages.send(reply, 200, 'preview')
        const send = await sendOf(context, request)
        const options = { isTracked: false, isForRecipient: true }
        const mail = send === undefined ? undefined : await renderAgain(context, send, options)
        return mail === undefined
          ? pages.send(reply, 404, 'unknownLink')
          : sendMail(pages, reply, mail)
      }
    }
  ]
}

function isOfPreview({ config }: MailerContext, { params }: FastifyRequest): boolean {
  const path = parseSignedPath((params as { readonly '*': string })['*'])
  if (path === undefined) return false
  const { sendId, signature } = path
  return isSignature(signature, trackingSignature(config.unsubscribeSecret, 'preview', sendId))
}

/** The mail that a genuine address names, once it was handed over. */
async function sendOf(
  { collections, config, clock }: MailerContext,
  { params }: FastifyRequest
): Promise<SendRow | undefined> {
  const path = parseSignedPath((params as { readonly '*': string })['*'])
  if (path === undefined) return undefined
  const { sendId, signature } = path
  const expected = trackingSignature(config.unsubscribeSecret, 'view', sendId)
  if (!isSignature(signature, expected)) return undefined
  const send = await collections.sends.findOne({ _id: sendId })
  if (send?.handedAt === undefined) return undefined
  const isAlive = isTrackingAlive(send.queuedAt, config.trackingUrlLifetimeDays, clock.now())
  return isAlive ? send : undefined
}

function sendMail(
  pages: PublicPages,
  reply: FastifyReply,
  { subject, html, text }: RenderedContent
): FastifyReply {
  if (html === undefined) {
    const body = `<pre>${escapeHtml(text)}</pre>`
    return pages.sendMarkup(reply, 200, { title: subject, body })
  }
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('x-robots-tag', 'noindex')
    .header('content-security-policy', POLICY)
    .type('text/html; charset=utf-8')
    .send(html)
}
