// The routes of a confirmation link: the page that asks, and the post that confirms.
import { escapeHtml } from '@keelson/ui/server'
import type { FastifyRequest, RouteOptions } from 'fastify'
import type { MailerContext } from '../../../ledger/context.ts'
import { PRIVATE, userAgentOf } from '../../../ledger/public-route.ts'
import { confirmSubscription, readConfirmationState } from '../confirm-subscription.ts'
import { isPreview } from '../unsubscribe-token.ts'
import type { MessagePage, PublicPages } from './public-pages.ts'

type State = Awaited<ReturnType<typeof confirmSubscription>>

/** What a state is answered with. */
const ANSWERS: Readonly<Record<State, readonly [number, MessagePage]>> = {
  confirmed: [200, 'confirmed'],
  already_confirmed: [200, 'alreadyConfirmed'],
  replaced: [400, 'replaced'],
  expired: [400, 'confirmExpired'],
  invalid: [400, 'confirmExpired']
}

/** Prepares the routes. */
export function confirmRoutes(context: MailerContext, pages: PublicPages): RouteOptions[] {
  const url = '/confirm-doi/*'
  const isOfPreview = (request: FastifyRequest) =>
    isPreview(tokenOf(request), context.config.unsubscribeSecret)
  const question = {
    title: pages.text('confirmTitle'),
    body: `<p>${escapeHtml(pages.text('confirmText'))}</p>
<form method="post"><button>${escapeHtml(pages.text('confirmButton'))}</button></form>`
  }
  return [
    {
      method: 'GET',
      url,
      ...PRIVATE,
      async handler(request, reply) {
        if (isOfPreview(request)) return pages.send(reply, 200, 'preview')
        const state = await readConfirmationState(context, tokenOf(request))
        if (state === 'open') return pages.sendMarkup(reply, 200, question)
        const [status, page] = ANSWERS[state]
        return pages.send(reply, status, page)
      }
    },
    {
      method: 'POST',
      url,
      ...PRIVATE,
      async handler(request, reply) {
        if (isOfPreview(request)) return pages.send(reply, 200, 'preview')
        const userAgent = userAgentOf(request)
        const origin = { ip: request.ip, ...(userAgent !== undefined && { userAgent }) }
        const state = await confirmSubscription(context, tokenOf(request), origin)
        const [status, page] = ANSWERS[state]
        return pages.send(reply, status, page)
      }
    }
  ]
}

const tokenOf = ({ params }: FastifyRequest): string => (params as { readonly '*': string })['*']
