// Notes plugin: keeps short notes, shows them on a page and posts them to a webhook.
import { definePlugin } from '@keelson/sdk'
import { Notes } from './notes.ts'
import { noteOperations } from './operations/note-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import { configSchema } from './schemas.ts'

export default definePlugin({
  manifest,
  config: configSchema,
  operations: noteOperations,
  // This module is in dist.
  folder: new URL('..', import.meta.url),
  register(host, config) {
    host.serve(noteOperations, { notes: new Notes(host, config) })
  }
})
