// The routes of an unsubscribe link: the page, one-click unsubscribe (RFC 8058), preferences and pauses.
import { within } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { MailerContext } from '../../../ledger/context.ts'
import { PRIVATE } from '../../../ledger/public-route.ts'
import { DEFAULTS } from '../../../ledger/schema.ts'
import { keepOptOut } from '../keep-opt-out.ts'
import {
  getPreferences,
  type Preferences,
  pauseMarketing,
  resumeMarketing,
  setPreferences
} from '../preferences.ts'
import { isPreview, readUnsubscribe, type UnsubscribeRequest } from '../unsubscribe-token.ts'
import type { PublicPages } from './public-pages.ts'
import { type Choice, type Offer, readChoice } from './read-choice.ts'
import { leftCategoryPage, pausedText, unsubscribePage } from './unsubscribe-page.ts'

interface Parts {
  readonly context: MailerContext
  readonly pages: PublicPages
  readonly journalPath: string | undefined
  readonly offer: Offer
}

/** Prepares the routes. `journalPath`: where opt-outs go that the database does not take. */
export function unsubscribeRoutes(
  context: MailerContext,
  pages: PublicPages,
  journalPath: string | undefined
): RouteOptions[] {
  const { categories = [], preferences } = context.config
  const pauseDays = preferences?.pauseDays ?? DEFAULTS.pauseDays
  const offer = { categories: categories.map(({ id }) => id), pauseDays }
  const parts: Parts = { context, pages, journalPath, offer }
  const url = '/unsub/*'
  return [
    { method: 'GET', url, ...PRIVATE, handler: (...act) => showPage(parts, ...act) },
    { method: 'POST', url, ...PRIVATE, handler: (...act) => takePost(parts, ...act) }
  ]
}

/** `<token>` or `<token>/preferences`. */
function readPath({
  params
}: FastifyRequest): { token: string; isPreferences: boolean } | undefined {
  const [token = '', action, ...more] = (params as { readonly '*': string })['*'].split('/')
  const isKnown = action === undefined || action === 'preferences'
  return isKnown && more.length === 0 ? { token, isPreferences: action !== undefined } : undefined
}

const isOfPreview = ({ context }: Parts, token: string): boolean =>
  isPreview(token, context.config.unsubscribeSecret)

const requestOf = ({ context }: Parts, token: string): UnsubscribeRequest | undefined =>
  readUnsubscribe(token, context.config.unsubscribeSecret, context.clock.now())

/** Changes nothing: scanners of mail open every link. */
async function showPage(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { pages, offer } = parts
  const path = readPath(request)
  if (path === undefined) return pages.send(reply, 404, 'unknownLink')
  const { token, isPreferences } = path
  if (isOfPreview(parts, token)) return pages.send(reply, 200, 'preview')
  const asked = requestOf(parts, token)
  if (asked === undefined) return pages.send(reply, 400, 'expired')
  const actions = isPreferences
    ? { unsubscribe: `../${token}`, preferences: 'preferences' }
    : { unsubscribe: token, preferences: `${token}/preferences` }
  const preferences = asked.scope === 'marketing' ? await readPreferences(parts, asked) : undefined
  const { pauseDays } = offer
  const page = unsubscribePage(pages, { request: asked, preferences, pauseDays, actions })
  return pages.sendMarkup(reply, 200, page)
}

/** The question is shown without them when the database does not answer. */
async function readPreferences(
  { context }: Parts,
  { email }: UnsubscribeRequest
): Promise<Preferences | undefined> {
  const overdue = () => new Error('the database did not answer in time')
  const ms = context.config.unsubscribeWriteTimeoutMs
  try {
    return await within(getPreferences(context, email), { deadline: { ms, overdue } })
  } catch (error) {
    context.log.warn({ err: error }, 'mailer: preferences could not be read')
    return undefined
  }
}

async function takePost(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { pages } = parts
  const path = readPath(request)
  if (path === undefined) return pages.send(reply, 404, 'unknownLink')
  if (isOfPreview(parts, path.token)) return pages.send(reply, 200, 'preview')
  const asked = requestOf(parts, path.token)
  if (path.isPreferences) {
    if (asked?.scope !== 'marketing') return pages.send(reply, 400, 'expired')
    return takeChoice(parts, { ...asked, token: path.token }, request, reply)
  }
  // A provider must never repeat a token that will never be accepted.
  if (asked === undefined) return pages.send(reply, 200, 'expired')
  return optOut(parts, { ...asked, token: path.token }, reply)
}

/** What a link asks for, and its token: pages link to each other by it. */
interface Asked extends UnsubscribeRequest {
  readonly token: string
}

/** 200 only when the opt-out is kept durably. */
async function optOut(
  { context, pages, journalPath }: Parts,
  asked: Asked,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { token: _, ...request } = asked
  const kept = await keepOptOut(context, { ...request, at: context.clock.now() }, journalPath)
  switch (kept) {
    case 'recorded':
    case 'journaled':
      return sendLeft({ context, pages }, asked, reply)
    case 'refused':
      return pages.send(reply, 200, 'expired')
    case 'failed':
      return sendRetry(pages, reply)
  }
}

/** An unsubscribe of one category leaves the others: the page names it. */
function sendLeft(
  { context, pages }: Pick<Parts, 'context' | 'pages'>,
  { category, scope, token }: Asked,
  reply: FastifyReply
): FastifyReply {
  if (category === undefined || scope !== 'marketing') return pages.send(reply, 200, 'unsubscribed')
  const known = context.config.categories?.find(({ id }) => id === category)
  const view = { label: known?.label ?? category, preferences: `${token}/preferences` }
  return pages.sendMarkup(reply, 200, leftCategoryPage(pages, view))
}

const sendRetry = (pages: PublicPages, reply: FastifyReply): FastifyReply =>
  pages.send(reply.header('retry-after', '60'), 503, 'retry')

async function takeChoice(
  parts: Parts,
  asked: Asked,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { context, pages, offer } = parts
  const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : '')
  const choice = readChoice(form, offer)
  if (choice === undefined) return pages.send(reply, 400, 'wrongChoice')
  if (choice.kind === 'unsubscribe-all') {
    const { category, ...all } = asked
    return optOut(parts, all, reply)
  }
  const overdue = () => new Error('the database did not answer in time')
  const ms = context.config.unsubscribeWriteTimeoutMs
  try {
    const applying = applyChoice(parts, asked.email, choice)
    return pages.sendMarkup(reply, 200, await within(applying, { deadline: { ms, overdue } }))
  } catch (error) {
    context.log.warn({ err: error }, 'mailer: a choice of a recipient could not be recorded')
    return sendRetry(pages, reply)
  }
}

async function applyChoice(
  { context, pages }: Parts,
  email: string,
  choice: Exclude<Choice, { readonly kind: 'unsubscribe-all' }>
): Promise<{ readonly title: string; readonly body: string }> {
  switch (choice.kind) {
    case 'save':
      await setPreferences(context, email, choice)
      return { title: pages.text('savedTitle'), body: '' }
    case 'pause': {
      const { pausedUntil } = await pauseMarketing(context, email, choice)
      return { title: pages.text('pausedTitle'), body: `<p>${pausedText(pages, pausedUntil)}</p>` }
    }
    case 'resume':
      await resumeMarketing(context, email)
      return { title: pages.text('resumedTitle'), body: '' }
  }
}
