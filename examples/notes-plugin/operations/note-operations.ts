// The API of Notes plugin. `keelson build` writes it into plugin.json; /openapi.json shows it.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import type { Notes } from '../notes.ts'
import { newNoteSchema, notesSchema } from '../schemas.ts'
import { refusals } from './refusals.ts'

/** What the operations are served with. */
export interface NotesHost {
  readonly notes: Notes
}

/** The kernel lets only people in who are signed in. */
const access = { auth: 'viewer' } as const

const list = operation({
  id: 'notes-plugin.notes.list',
  method: 'GET',
  path: '/api/notes',
  summary: 'The latest notes, newest first',
  access,
  effect: 'read',
  answer: notesSchema,
  run: (_input, { host, actor }: Call<NotesHost>) => host.notes.list(actor.tenantId)
})

const add = operation({
  id: 'notes-plugin.notes.add',
  method: 'POST',
  path: '/api/notes',
  summary: 'Adds a note',
  access,
  effect: 'change',
  rateLimit: { max: 60, windowSeconds: 60 },
  bodyLimit: 8192,
  body: newNoteSchema,
  status: 201,
  answer: Type.Object({ id: Type.String() }),
  errors: refusals.only('text_empty'),
  async run({ body }, { host, actor }: Call<NotesHost>) {
    const text = body.text.trim()
    if (text === '') return refusals.refuse('text_empty')
    return host.notes.add(actor.tenantId, text)
  }
})

/** The operations of the plugin. */
export const noteOperations: readonly Operation<NotesHost>[] = [list, add]
