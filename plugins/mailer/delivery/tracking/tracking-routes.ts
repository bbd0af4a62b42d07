// The routes of tracking: open pixel, click redirect, honeypot. Answers never wait for what they count.
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { PublicPages } from '../../audience/contacts/pages/public-pages.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { unkeyedLinkId } from '../../ledger/send-id.ts'
import type { TrackedLink } from '../../ledger/send-row.ts'
import { renderAgain } from '../sends/render-again.ts'
import {
  isTrackingAlive,
  parseClickPath,
  parseOpenPath,
  parseSignedPath,
  type TrackedPath
} from '../sends/tracking-addresses.ts'
import {
  isSignature,
  judgeSignature,
  logUnsigned,
  mayBeUnsigned,
  trackingSignature
} from '../sends/tracking-signature.ts'
import { applyHits } from './apply-hits.ts'
import type { Hit } from './hit.ts'
import { createHitLog, type HitLog } from './hit-log.ts'
import { agentTest } from './machine-verdict.ts'
import { PIXEL } from './pixel.ts'
import { readVisit, type VisitRules } from './read-visit.ts'

/** Routes, and what must be closed after the last request. */
export interface TrackingRoutes {
  readonly routes: readonly RouteOptions[]
  /** Writes the hits that wait. */
  close(): Promise<void>
}

interface Tracking {
  readonly context: MailerContext
  readonly pages: PublicPages
  readonly hits: HitLog
  readonly rules: VisitRules
  /** See `unsignedTrackingBefore`. */
  readonly unsignedBefore: Date | undefined
}

type Handler = (
  tracking: Tracking,
  request: FastifyRequest,
  reply: FastifyReply
) => FastifyReply | Promise<FastifyReply>

/** Prepares the routes of one process. */
export function createTrackingRoutes(context: MailerContext, pages: PublicPages): TrackingRoutes {
  const { config, clock, log } = context
  const { trackingUrlLifetimeDays: lifetimeDays, unsignedTrackingBefore: before } = config
  const unsignedBefore = before === undefined ? undefined : new Date(before)
  const apply = (hits: readonly Hit[]) => applyHits(context, hits, { lifetimeDays, unsignedBefore })
  const hits = createHitLog({ apply, log })
  const rules: VisitRules = {
    isMachineAgent: agentTest(config.machineAgents),
    keepsIp: config.storeTrackingIp === true,
    now: () => clock.now()
  }
  const tracking: Tracking = { context, pages, hits, rules, unsignedBefore }
  const route = (url: string, handler: Handler): RouteOptions => ({
    method: 'GET',
    url,
    handler: async (request, reply) => handler(tracking, request, reply)
  })
  return {
    routes: [route('/open/*', open), route('/click/*', click), route('/more/*', honeypot)],
    close: () => hits.close()
  }
}

const pathOf = ({ params }: FastifyRequest): string => (params as { readonly '*': string })['*']

/** Always the pixel: a forged, expired or malformed address gets the same answer as a valid one. */
function open(tracking: Tracking, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = parseOpenPath(pathOf(request))
  if (path !== undefined && isAccepted(tracking, 'open', path)) {
    const { sendId, signature } = path
    const isUnsigned = signature === undefined
    tracking.hits.add({ ...readVisit(request, tracking.rules), kind: 'open', sendId, isUnsigned })
  }
  return reply
    .header('cache-control', 'no-store, no-cache, must-revalidate, max-age=0')
    .header('x-content-type-options', 'nosniff')
    .type('image/png')
    .send(PIXEL)
}

async function click(
  tracking: Tracking,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { context, pages, hits, rules } = tracking
  const path = parseClickPath(pathOf(request))
  if (path === undefined) return pages.send(reply, 400, 'badLink')
  if (!isAccepted(tracking, 'click', path)) return pages.send(reply, 404, 'unknownLink')
  const { sendId, linkId } = path
  const url = await targetOf(tracking, path)
  if (url === undefined) return pages.send(reply, 404, 'unknownLink')
  const target = webAddress(url)
  if (target === undefined) {
    context.log.warn({ sendId, linkId }, 'mailer: a stored link is neither http nor https')
    return pages.send(reply, 400, 'badLink')
  }
  hits.add({ ...readVisit(request, rules), kind: 'click', sendId, link: { linkId, url } })
  return reply
    .code(302)
    .header('location', target)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send()
}

/** A person who follows it all the same reads that there is nothing to do. */
function honeypot(tracking: Tracking, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { context, pages, hits, rules } = tracking
  const path = parseSignedPath(pathOf(request))
  if (path === undefined) return pages.send(reply, 404, 'unknownLink')
  const { sendId, signature } = path
  const expected = trackingSignature(context.config.unsubscribeSecret, 'honeypot', sendId)
  if (!isSignature(signature, expected)) return pages.send(reply, 404, 'unknownLink')
  hits.add({ ...readVisit(request, rules), kind: 'honeypot', sendId })
  return pages.send(reply, 200, 'nothingHere')
}

/** Whether the signature of an address, or that it has none, lets a hit be counted; says in the log why not. */
function isAccepted(
  { context }: Tracking,
  scope: 'open' | 'click',
  { sendId, signature, linkId }: TrackedPath & { readonly linkId?: string }
): boolean {
  const { config, log } = context
  const { unsubscribeSecret, requireSignedTrackingUrls } = config
  const expected = trackingSignature(unsubscribeSecret, scope, sendId, linkId)
  const verdict = judgeSignature(signature, expected, requireSignedTrackingUrls)
  if (verdict === 'refused' && signature === undefined) logUnsigned(log, { sendId, scope }, false)
  else if (verdict === 'refused')
    log.info({ sendId, scope }, 'mailer: tracking URL with a wrong signature refused')
  return verdict !== 'refused'
}

/** Where a link leads; undefined when send or link are unknown, or its time is over. */
async function targetOf(
  { context, unsignedBefore }: Tracking,
  { sendId, linkId, signature }: TrackedPath & { readonly linkId: string }
): Promise<string | undefined> {
  const { collections, config, clock } = context
  const fields = { links: 1, queuedAt: 1, handedAt: 1, dedupeKey: 1 }
  const send = await collections.sends.findOne({ _id: sendId }, { projection: fields })
  if (send === null) return undefined
  if (!isTrackingAlive(send.queuedAt, config.trackingUrlLifetimeDays, clock.now())) return undefined
  if (signature === undefined) {
    const isTaken = mayBeUnsigned(send, unsignedBefore)
    logUnsigned(context.log, { sendId, scope: 'click' }, isTaken)
    if (!isTaken) return undefined
  }
  if (send.links !== undefined) return send.links.find((link) => link.linkId === linkId)?.url
  const links = send.handedAt && (await linksOf(context, sendId))
  return links?.find((link) => [link.linkId, unkeyedLinkId(sendId, link.url)].includes(linkId))?.url
}

const AS_SENT = { isTracked: true, isForRecipient: true }

/**
 * Links are stored with the answer of the provider. A mail whose answer never came has none, and its
 * recipient clicks all the same: their addresses follow from rendering it again. One that was handed over
 * before link ids had a secret has the ids of then.
 */
async function linksOf(
  context: MailerContext,
  sendId: string
): Promise<readonly TrackedLink[] | undefined> {
  const send = await context.collections.sends.findOne({ _id: sendId })
  const mail = send === null ? undefined : await renderAgain(context, send, AS_SENT)
  return mail?.links
}

/** The address in the form of a header; undefined unless it is http or https. */
function webAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}
