// The mailbox of a demo: takes mail by SMTP, and shows it.
import {
  definePlugin,
  errorBody,
  type Host,
  isFromThisMachine,
  type Static,
  Type
} from '@keelson/sdk'
import type { Collection } from 'mongodb'
import { KEPT_MS, type MessageRow, messageRow } from './message-row.ts'
import { mailboxOperations, mayRead } from './operations/mailbox-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import { messageParams } from './schemas.ts'
import { openSmtpSink } from './smtp-sink.ts'

const config = Type.Object(
  {
    host: Type.String({ default: '127.0.0.1', description: 'Where the SMTP server listens.' }),
    port: Type.Integer({ minimum: 0, maximum: 65_535, default: 2525 }),
    keep: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 5_000,
      description: 'Mails that are kept; older ones go.'
    })
  },
  { additionalProperties: false }
)

/** A mail brings its own styles and images; nothing in it may run or post. */
const MAIL_POLICY = [
  "default-src 'none'",
  'img-src http: https: data:',
  "style-src 'unsafe-inline' https:",
  'font-src https: data:',
  "form-action 'none'",
  'sandbox allow-popups allow-popups-to-escape-sandbox'
].join('; ')

const FORBIDDEN = 'Mails are for people at this machine, and for administrators.'

function register(host: Host, { host: address, port, keep }: Static<typeof config>): void {
  const messages = host.collection<MessageRow>('mailbox_messages')
  const unknown = new Set<string>()
  host.serve(mailboxOperations, { messages, unknown })
  serveHtml(host, messages)
  host.job('trim', async () => {
    const before = new Date(host.clock.now().getTime() - KEPT_MS)
    await messages.deleteMany({ receivedAt: { $lt: before } })
    const [oldest] = await messages
      .find({}, { projection: { receivedAt: 1 } })
      .sort({ receivedAt: -1 })
      .skip(keep)
      .limit(1)
      .toArray()
    if (oldest !== undefined) await messages.deleteMany({ receivedAt: { $lte: oldest.receivedAt } })
  })
  host.onReady(async () => {
    const sink = openSmtpSink({
      host: address,
      port,
      log: host.log,
      isUnknown: (recipient) => unknown.has(recipient),
      store: async ({ raw, recipients }) => {
        await messages.insertOne(await messageRow(raw, recipients, host.clock.now()))
      }
    })
    host.onClose(() => sink.close())
    await sink.listening
  })
}

/** A mail as a separate HTML document: a file, not an API answer. */
function serveHtml(host: Host, messages: Collection<MessageRow>): void {
  host.route({
    method: 'GET',
    path: '/messages/:id/html',
    viewer: 'optional',
    schema: { params: messageParams },
    handler: async (request, reply, { viewer }) => {
      const isHere = isFromThisMachine(request, host.publicUrl)
      if (!mayRead({ ...(isHere && { isLocal: true as const }), ...viewer })) {
        return reply.code(403).send(errorBody({ error: 'forbidden', message: FORBIDDEN }))
      }
      const row = await messages.findOne({ _id: request.params.id }, { projection: { html: 1 } })
      if (row === null || row.html === '') return reply.code(404).send({ error: 'not_found' })
      return reply
        .header('content-security-policy', MAIL_POLICY)
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer')
        .type('text/html; charset=utf-8')
        .send(inNewTabs(row.html))
    }
  })
}

/** Links open beside the mailbox, as in other mail programs. */
const inNewTabs = (mail: string): string =>
  mail.replace(/<head[^>]*>|$/i, '$&<base target="_blank">')

export default definePlugin({
  manifest,
  config,
  operations: mailboxOperations,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
