// Third party plugin: holds mail that contains unwanted words.
import { definePlugin, type Host } from '@keelson/sdk'
import { adminRoute, mailerAdminApi } from '@keelson/sdk/contracts/mailer-admin-api'
import { mailerPublishGate } from '@keelson/sdk/contracts/mailer-publish-gate'
import { mailerSendGate } from '@keelson/sdk/contracts/mailer-send-gate'
import { mailerSetupCheck } from '@keelson/sdk/contracts/mailer-setup-check'
import { mailerTick } from '@keelson/sdk/contracts/mailer-tick'
import { HeldCounts, type StoredDay } from './held-counts.ts'
import manifest from './plugin.json' with { type: 'json' }
import { configSchema, foundSchema, statusSchema, textSchema, type WordsConfig } from './schemas.ts'
import { wordFinder } from './words.ts'

const refusal = (word: string) => ({
  error: 'unwanted_word',
  message: `The mail contains "${word}".`
})

function register(host: Host, { words }: WordsConfig): void {
  const findWord = wordFinder(words)
  const counts = new HeldCounts(host.collection<StoredDay>('third_party_plugin_days'))

  // Asked for each mail before it is sent: null lets it go, anything else holds it.
  host.extend(mailerSendGate, {
    name: 'third-party-plugin',
    check(send, { now }) {
      const word = findWord(send)
      if (word === undefined) return null
      counts.count(word, now)
      return refusal(word)
    }
  })

  // Asked before a template is published: the answer becomes a 422.
  host.extend(mailerPublishGate, {
    name: 'third-party-plugin',
    check(template) {
      const word = findWord(template)
      return word === undefined ? null : refusal(word)
    }
  })

  // A line on the mailer's setup list.
  host.extend(mailerSetupCheck, {
    name: 'third-party-plugin',
    label: 'Third party plugin',
    run() {
      if (words.length > 0) return { severity: 'ok', message: `${words.length} unwanted words.` }
      const hint = 'Set `words` in the config of third-party-plugin.'
      return { severity: 'warn', message: 'No unwanted words are set.', hint }
    }
  })

  // Runs with every tick of the mailer, in one process at a time.
  host.extend(mailerTick, { name: 'third-party-plugin', run: () => counts.write() })
  // The counts of this process, before it ends.
  host.onClose(() => counts.write())

  const status = async () => ({ words: [...words], days: await counts.latest() })

  // Below the mailer's admin API, for its administrators and for agents.
  host.extend(mailerAdminApi, {
    name: 'third-party-plugin',
    routes: [
      adminRoute({
        method: 'GET',
        path: '/unwanted-words',
        summary: 'The unwanted words, and how often each held a mail.',
        schema: { response: { 200: statusSchema } },
        handler: async () => ({ body: await status() })
      })
    ]
  })

  host.route({
    method: 'GET',
    path: '/api/status',
    schema: { response: { 200: statusSchema } },
    handler: status
  })

  host.route({
    method: 'POST',
    path: '/api/check',
    schema: { body: textSchema, response: { 200: foundSchema } },
    handler: async ({ body: { text } }) => ({ word: findWord({ subject: '', text }) ?? null })
  })
}

export default definePlugin({
  manifest,
  config: configSchema,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
