// The API of Third party plugin: its own, and what it adds to the mailer's.

import { adminAccess, MAILER_ADMIN_API } from '@keelson/mailer/contracts'
import { type Call, type Operation, operation } from '@keelson/sdk'
import { foundSchema, type Status, statusSchema, textSchema } from '../schemas.ts'

/** What the operations are served with. */
export interface WordsHost {
  status(): Promise<Status>
  findWord(mail: { readonly subject: string; readonly text: string }): string | undefined
}

/** On a platform of several tenants, the administrators of each would see the mail of all. */
const access = { auth: 'admin', tenants: '${adminTenants}' } as const

const status = operation({
  id: 'third-party-plugin.status.read',
  method: 'GET',
  path: '/api/status',
  summary: 'The unwanted words, and how often each held a mail',
  access,
  effect: 'read',
  answer: statusSchema,
  run: (_input, { host }: Call<WordsHost>) => host.status()
})

const check = operation({
  id: 'third-party-plugin.texts.check',
  method: 'POST',
  path: '/api/check',
  summary: 'Which unwanted word a text contains',
  access,
  effect: 'read',
  bodyLimit: 65_536,
  body: textSchema,
  answer: foundSchema,
  run: ({ body: { text } }, { host }: Call<WordsHost>) => ({
    word: host.findWord({ subject: '', text }) ?? null
  })
})

/** Below the mailer's admin API, for its administrators and, as it says `agent`, for agents. */
const words = operation({
  id: 'third-party-plugin.words.read',
  method: 'GET',
  base: MAILER_ADMIN_API,
  path: '/unwanted-words',
  summary: 'The unwanted words, and how often each held a mail',
  access: adminAccess.read,
  agent: true,
  effect: 'read',
  answer: statusSchema,
  run: (_input, { host }: Call<WordsHost>) => host.status()
})

/** What the mailer can offer elsewhere, too. */
export const contributedOperations: readonly Operation<WordsHost>[] = [words]

/** Every operation of the plugin. */
export const wordOperations: readonly Operation<WordsHost>[] = [
  status,
  check,
  ...contributedOperations
]
