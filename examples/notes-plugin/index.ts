// Notes plugin: keeps short notes, shows them on a page and posts them to a webhook.
import { definePlugin, Type } from '@keelson/sdk'
import { errors } from './errors.ts'
import { Notes } from './notes.ts'
import manifest from './plugin.json' with { type: 'json' }
import { configSchema, newNoteSchema, notesSchema } from './schemas.ts'

export default definePlugin({
  manifest,
  config: configSchema,
  // This module is in dist.
  folder: new URL('..', import.meta.url),
  register(host, config) {
    const notes = new Notes(host, config)

    // The routes have the band `viewer`: the kernel lets only people in who are signed in.
    host.route({
      method: 'GET',
      path: '/api/notes',
      schema: { response: { 200: notesSchema } },
      handler: (_request, _reply, { viewer }) => notes.list(viewer?.tenantId ?? '')
    })

    host.route({
      method: 'POST',
      path: '/api/notes',
      schema: { body: newNoteSchema, response: { 201: Type.Object({ id: Type.String() }) } },
      handler: async (request, reply, { viewer }) => {
        const text = request.body.text.trim()
        if (text === '') throw errors.NOTE_TEXT_EMPTY()
        return reply.code(201).send(await notes.add(viewer?.tenantId ?? '', text))
      }
    })
  }
})
