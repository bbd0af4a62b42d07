// The public entry of @keelson/mailer/dev: contacts, templates and a mailbox for plugins around the mailer.
import { randomUUID } from 'node:crypto'
import {
  type Call,
  definePlugin,
  type Host,
  type KeelsonPlugin,
  operation,
  systemActor,
  Type
} from '@keelson/sdk'
import type { Collection } from 'mongodb'
import { createMongoContactAdapter } from '../audience/contacts/mongo/mongo-adapter.ts'
import {
  type MailerCore,
  mailerContacts,
  mailerCore,
  mailerOperations,
  mailerProvider
} from '../contracts/index.ts'
import { CONTACTS, TEMPLATES } from './sample-mail.ts'

/** A mail as the mailbox keeps it. */
interface StoredMail {
  readonly _id: string
  readonly at: Date
  readonly to: string
  readonly subject: string
  readonly text: string
}

interface DevHost {
  readonly mails: Collection<StoredMail>
  readonly mailer: MailerCore
}

const DEVELOPER = systemActor('mailer-dev')
const access = { auth: 'admin' } as const
const LISTED = 100

const list = operation({
  id: 'mailer-dev.mails.list',
  method: 'GET',
  path: '/api/mails',
  summary: 'The newest 100 mails of the mailbox',
  access,
  effect: 'read',
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        at: Type.String({ format: 'date-time' }),
        to: Type.String(),
        subject: Type.String(),
        text: Type.String()
      })
    )
  }),
  async run(_input, { host }: Call<DevHost>) {
    const found = await host.mails.find().sort({ at: -1 }).limit(LISTED).toArray()
    return {
      items: found.map(({ _id, at, ...mail }) => ({ ...mail, id: _id, at: at.toISOString() }))
    }
  }
})

const send = operation({
  id: 'mailer-dev.mails.send',
  method: 'POST',
  path: '/api/mails',
  summary: 'Queues a mail of a template to a contact: ada, ben or cleo',
  access,
  effect: 'send',
  body: Type.Object({
    template: Type.String(),
    contact: Type.String({ default: 'ada' }),
    subject: Type.String({ default: 'News for you', description: 'Of the offer.' })
  }),
  status: 202,
  answer: Type.Object({ sendId: Type.String() }),
  run: ({ body }, { host }: Call<DevHost>) =>
    host.mailer.as(DEVELOPER).sendOneOff({
      templateSlug: body.template,
      externalId: body.contact,
      vars: { subject: body.subject },
      dedupeKey: `mailer-dev:${randomUUID()}`
    })
})

const operations = [list, send]

const manifest = {
  manifestVersion: 1,
  id: 'mailer-dev',
  name: 'Mailer in development',
  version: '0.1.0',
  kernel: '^1.0.0',
  description: 'Contacts, templates and a mailbox to develop plugins around the mailer with.',
  license: 'MIT',
  provides: [mailerContacts.id],
  uses: [mailerCore.id, mailerOperations.id, mailerProvider.id],
  routes: operations.map(({ id, method, path, summary, effect }) => ({
    id,
    method,
    path,
    summary,
    effect,
    auth: 'admin' as const
  })),
  collections: [
    {
      name: 'mailer_dev_contacts',
      indexes: [
        { name: 'email', keys: { email: 1, _id: 1 } },
        { name: 'tags', keys: { tags: 1, _id: 1 } }
      ]
    },
    { name: 'mailer_dev_mails', indexes: [{ name: 'by_time', keys: { at: -1 } }] }
  ]
} as const

async function writeSamples(host: Host): Promise<void> {
  const contacts = host.collection<(typeof CONTACTS)[number]>('mailer_dev_contacts')
  for (const contact of CONTACTS) {
    await contacts.updateOne({ _id: contact._id }, { $setOnInsert: contact }, { upsert: true })
    const acting = host.use(mailerCore).as(DEVELOPER)
    await acting.upsertSubscription({ externalId: contact._id, source: 'sign-up' })
  }
  const mailer = host.use(mailerOperations).as(DEVELOPER)
  for (const { slug, name, kind, subject, html } of TEMPLATES) {
    const params = { slug }
    const known = await mailer.call('mailer.templates.read', { params })
    if (known.ok && known.answer.version > 0) continue
    await mailer.call('mailer.templates.create', { body: { slug, name, kind } })
    await mailer.call('mailer.templates.changeDraft', { params, body: { subject, html } })
    const published = await mailer.call('mailer.templates.publish', { params, body: {} })
    if (!published.ok) host.log.warn({ slug, refused: published }, 'a template was not published')
  }
}

/** A plugin for development: it keeps what the mailer sends, and sends none of it. */
export const mailerDev: KeelsonPlugin = definePlugin({
  manifest,
  operations,
  register(host) {
    const mails = host.collection<StoredMail>('mailer_dev_mails')
    host.provide(
      mailerContacts,
      createMongoContactAdapter({ db: host, collection: 'mailer_dev_contacts', tagsField: 'tags' })
    )
    host.extend(mailerProvider, {
      name: 'mailbox',
      async send({ to, subject, text }, { messageId }) {
        const mail = { _id: messageId, at: host.clock.now(), to, subject, text }
        await mails.updateOne({ _id: messageId }, { $setOnInsert: mail }, { upsert: true })
        return { status: 'accepted', providerId: messageId }
      },
      verifyWebhook: () => false,
      parseWebhookEvents: () => []
    })
    host.onReady(() => writeSamples(host))
    host.serve(operations, { mails, mailer: host.use(mailerCore) })
  }
})

/** The settings of the mailer beside it: mail leaves by the mailbox. `publicUrl` is the address of the host. */
export const mailerDevConfig = (publicUrl: string): Readonly<Record<string, unknown>> => ({
  publicUrl,
  unsubscribeSecret: 'a secret for development alone',
  fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
  senderDomains: { 'acme.test': { kind: 'both' } },
  senderAddress: 'Acme, 12 Harbour Street, 20457 Hamburg, Germany',
  defaultProvider: 'mailbox',
  tickIntervalSeconds: 5
})
