// Third party plugin: holds mail that contains unwanted words.

import {
  mailerAdminApi,
  mailerPublishGate,
  mailerSendGate,
  mailerSetupCheck,
  mailerTick
} from '@keelson/mailer/contracts'
import { bindOperations, definePlugin, type Host } from '@keelson/sdk'
import { HeldCounts, type StoredDay } from './held-counts.ts'
import {
  contributedOperations,
  type WordsHost,
  wordOperations
} from './operations/word-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import { configSchema, type WordsConfig } from './schemas.ts'
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

  const services: WordsHost = {
    findWord,
    status: async () => ({ words: [...words], days: [...(await counts.latest())] })
  }
  host.serve(wordOperations, services)
  host.extend(mailerAdminApi, {
    name: 'third-party-plugin',
    operations: bindOperations(contributedOperations, services)
  })
}

export default definePlugin({
  manifest,
  config: configSchema,
  operations: wordOperations,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
