// The mailer in a config module: what a file cannot say is given in code, its settings stay data.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import keelson, { keelsonOf } from '@keelson/kernel'
import { mailerCore } from '@keelson/mailer/contracts'
import { systemActor } from '@keelson/sdk'
import { databaseUri, testDatabase } from '@keelson/sdk/testing'
import Fastify from 'fastify'
import { type Test, test } from 'tap'

const from = (name: string) => JSON.stringify(import.meta.resolve(name))

/** Everything that only code can say; what it saw is exported. */
const moduleText = (storage: object) => `
import { createMailerPlugin, createMemoryAdapter } from ${from('@keelson/mailer')}
import { defineConfig } from ${from('@keelson/sdk')}

let onFailure
export const failure = new Promise((resolve) => { onFailure = resolve })
const contact = { externalId: 'c1', email: 'ann@example.test', tags: [], fields: { seats: 3 } }

const mailer = createMailerPlugin({
  adapter: createMemoryAdapter([contact]),
  varsAdapter: {
    schema: { type: 'object', properties: { team: { type: 'object' } } },
    resolve: ({ fields }) => ({ team: { name: 'Blue', seats: fields.seats } })
  },
  handlebarsHelpers: { shout: (text) => String(text).toUpperCase() },
  providers: {
    refusing: {
      name: 'refusing',
      send: async () => ({ status: 'rejected', reason: 'no such mailbox' }),
      verifyWebhook: () => false,
      parseWebhookEvents: () => []
    }
  },
  onSendFailure: (mail) => onFailure(mail),
  permissions: ({ viewerRef }) => ({ canPublish: viewerRef === 'user:editor' })
})

export default defineConfig({
  storage: ${JSON.stringify(storage)},
  plugins: {
    mailer: {
      config: {
        publicUrl: 'https://mail.example.test',
        unsubscribeSecret: 'the secret of a test',
        fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
        adminTenants: ['acme'],
        defaultProvider: 'refusing'
      }
    }
  },
  use: [mailer]
})
`

async function open(t: Test) {
  const { db } = await testDatabase(t)
  const text = moduleText({ uri: await databaseUri(), database: db.databaseName })
  const file = join(t.testdir({ 'keelson.config.mjs': text }), 'keelson.config.mjs')
  const who = { viewerRef: 'user:editor' }
  const app = Fastify()
  await app.register(keelson, {
    config: file,
    resolveViewer: () => ({ tenantId: 'acme', role: 'admin', ...who })
  })
  t.teardown(() => app.close())
  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) => {
    const url = `/admin/mailer/api${path}`
    const reply = await app.inject({ method, url, ...(payload && { payload }) })
    return { status: reply.statusCode, body: reply.json() }
  }
  return { app, who, call, made: await import(pathToFileURL(file).href) }
}

test('contacts, variables, helpers, providers, permissions and hooks come from the module', async (t) => {
  const { app, who, call, made } = await open(t)
  t.match((await call('GET', '/contacts')).body.contacts, [{ externalId: 'c1' }])
  const { checks } = (await call('GET', '/setup-status')).body
  t.notOk(checks.some(({ name }: { readonly name: string }) => name === 'contacts'))

  await call('POST', '/templates', { slug: 'hello', name: 'Hello', kind: 'transactional' })
  const html = '<p>{{shout team.name}} has {{team.seats}} seats</p>'
  await call('PATCH', '/templates/hello/draft', { subject: 'Hello', html })
  const preview = await call('POST', '/templates/hello/preview', {
    contactId: 'c1',
    useDraft: true
  })
  t.match(preview.body.html, /BLUE has 3 seats/)

  who.viewerRef = 'user:reader'
  t.equal((await call('POST', '/templates/hello/publish')).status, 403)
  who.viewerRef = 'user:editor'
  t.equal((await call('POST', '/templates/hello/publish')).status, 200)
  t.match((await call('GET', '/me')).body.permissions, {
    canPublish: true,
    canSendBroadcasts: false
  })

  const core = keelsonOf(app).use(mailerCore).as(systemActor('test'))
  await core.sendOneOff({ templateSlug: 'hello', externalId: 'c1', dedupeKey: 'one' })
  t.match(await made.failure, { templateSlug: 'hello', reason: 'no such mailbox' })
})
