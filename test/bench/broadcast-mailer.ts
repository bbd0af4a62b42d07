// A mailer with one published newsletter and many subscribed contacts, for the measurements of broadcasts.
import { createMongoContactAdapter, createSmtpProvider } from '@keelson/mailer'
import { type TestDatabase, testDatabase } from '@keelson/sdk/testing'
import { insideMailer } from './inside-mailer.ts'

const { openMailer } = await insideMailer('host/mailer.js')
const { advanceBroadcasts } = await insideMailer('campaigns/broadcasts/advance-broadcasts.js')
const { createBroadcast } = await insideMailer('campaigns/broadcasts/draft-broadcast.js')
const { scheduleBroadcast } = await insideMailer('campaigns/broadcasts/schedule-broadcast.js')
const { createTemplate, changeDraft } = await insideMailer('content/templates/edit-template.js')
const { publishTemplate } = await insideMailer('content/templates/publish-template.js')

const acting = { actor: 'human:ann@acme.test' }
const CHUNK = 5_000

interface Rows {
  insertMany(rows: readonly object[]): Promise<unknown>
}

const article = (
  at: number
) => `<h2><a href="https://acme.test/articles/${at}">Article ${at}</a></h2>
<p>Dear {{contact.fields.firstName}}, ${'words that fill a paragraph of a newsletter. '.repeat(12)}</p>
<p><a href="https://acme.test/read/${at}">Read on</a></p>`
const html = `<html><body>${[1, 2, 3, 4, 5].map(article).join('\n')}
<p>{{senderAddress}} <a href="{{unsubscribeUrl}}">Unsubscribe</a></p></body></html>`
const subject = 'News for {{contact.fields.firstName}}'

/** Contacts that the broadcasts leave out; the server says when mail to them arrives. */
export const URGENT = 'urgent-'

/** A mailer on a fresh database, its contacts in a collection of the host. */
export async function openBroadcastMailer(
  t: { teardown(fn: () => Promise<void> | void): void },
  { smtp, contacts }: { readonly smtp: string; readonly contacts: number }
) {
  const database: TestDatabase = await testDatabase(t)
  const { db } = database
  const adapter = createMongoContactAdapter({ db, collection: 'users', tagsField: 'tags' })
  const provider = createSmtpProvider({ url: smtp, sendRatePerSecond: 50_000 })
  const open = () =>
    openMailer({
      db,
      adapter,
      providers: { smtp: provider },
      publicUrl: 'https://mail.acme.test',
      unsubscribeSecret: 'a secret of some length',
      senderAddress: 'Street 1',
      fromDefaults: { name: 'Acme', email: 'news@acme.test' }
    })
  const opened = await open()
  const { context } = opened
  const rest = Array.from({ length: 100 }, (_, at) => `${URGENT}${at}`)
  await addContacts(context, db, { ids: rest, tags: [] })
  for (let at = 0; at < contacts; at += CHUNK) {
    const ids = Array.from(
      { length: Math.min(CHUNK, contacts - at) },
      (_, index) => `c${at + index}`
    )
    await addContacts(context, db, { ids, tags: ['cast'] })
  }
  for (const [slug, kind] of [
    ['news', 'marketing'],
    ['notice', 'transactional']
  ]) {
    await createTemplate(context, { slug, name: slug, kind }, acting)
    await changeDraft(context, slug, { subject, html, trackClicks: true }, acting)
    const published = await publishTemplate(context, slug, acting)
    if (!published.ok) throw new Error(published.message)
  }
  const enqueue = async (slug: string, onScheduled?: () => void) => {
    await schedule(context, slug)
    onScheduled?.()
    while ((await advanceBroadcasts(context)).moved > 0);
  }
  /** A mailer as of another worker process. Stop it in the end. */
  const worker = async () => (await open()).mailer
  return { ...database, ...opened, core: opened.mailer, enqueue, worker }
}

async function schedule(context: object, slug: string): Promise<void> {
  const segmentDefinition = { filters: [{ kind: 'hasTag', tag: 'cast' }] }
  await createBroadcast(
    context,
    { slug, name: slug, templateSlug: 'news', segmentDefinition },
    acting
  )
  const scheduledAt = new Date()
  const asked = await scheduleBroadcast(context, slug, { scheduledAt, confirmedCount: -1 }, acting)
  const confirmedCount = 'expected' in asked ? asked.expected : -1
  const done = await scheduleBroadcast(context, slug, { scheduledAt, confirmedCount }, acting)
  if (!done.ok) throw new Error(done.code)
}

interface NewContacts {
  readonly ids: readonly string[]
  readonly tags: readonly string[]
}

async function addContacts(
  { collections }: { readonly collections: { readonly subscriptions: Rows } },
  db: TestDatabase['db'],
  { ids, tags }: NewContacts
): Promise<void> {
  const now = new Date()
  const row = { status: 'subscribed', source: 'bench', createdAt: now, updatedAt: now }
  const users = ids.map((_id) => {
    return { _id, email: `${_id}@example.test`, tags: [...tags], firstName: `Ann ${_id}` }
  })
  await db.collection<{ _id: string }>('users').insertMany(users)
  await collections.subscriptions.insertMany(
    ids.map((externalId) => ({ _id: externalId, externalId, ...row }))
  )
}
