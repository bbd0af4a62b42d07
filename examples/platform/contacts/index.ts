// The customers of the demo as a plugin: they are in its own collection, and the mailer reads them there.
import { createMongoContactAdapter } from '@keelson/mailer'
import { mailerContacts } from '@keelson/mailer/contracts'
import { definePlugin, type Host } from '@keelson/sdk'
import manifest from './plugin.json' with { type: 'json' }
import { writeContacts } from './write-contacts.ts'

function register(host: Host): void {
  const adapter = createMongoContactAdapter({
    db: host,
    collection: 'demo_users',
    emailsInLowerCase: true,
    searchFields: ['email', 'firstName'],
    tagsField: 'tags',
    tagsWritable: true,
    createdAtField: 'createdAt'
  })
  host.provide(mailerContacts, adapter)
  host.onReady(() => writeContacts(host))
}

export default definePlugin({ manifest, register })
