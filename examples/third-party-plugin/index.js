// Third party plugin: holds mail that contains words you do not want to send.
import { readFileSync } from 'node:fs'
import { definePlugin, Type } from '@keelson/sdk'
import { mailerPublishGate } from '@keelson/sdk/contracts/mailer-publish-gate'
import { mailerSendGate } from '@keelson/sdk/contracts/mailer-send-gate'
import { mailerSetupCheck } from '@keelson/sdk/contracts/mailer-setup-check'
import { mailerTick } from '@keelson/sdk/contracts/mailer-tick'
import { errors } from './errors.js'
import { wordIn } from './words.js'

const manifest = JSON.parse(readFileSync(new URL('./plugin.json', import.meta.url), 'utf8'))

const config = Type.Object(
  {
    words: Type.Array(Type.String({ minLength: 1 }), {
      default: ['act now', 'free money'],
      maxItems: 200,
      description: 'Mail that contains one of them is held.'
    })
  },
  { additionalProperties: false }
)

const KEEP_MS = 30 * 86_400_000

export default definePlugin({
  manifest,
  config,
  folder: new URL('.', import.meta.url),
  register(host, { words }) {
    const held = host.collection('third_party_plugin_held')

    // Before each send: null lets it go, anything else holds it.
    host.extend(mailerSendGate, {
      name: 'third-party-plugin',
      async check(send) {
        const word = wordIn(words, send.subject, send.text, send.html)
        if (word === undefined) return null
        await held.insertOne({ at: host.clock.now(), word })
        return { error: 'third_party_plugin_word', message: `It contains "${word}".` }
      }
    })

    // Before a template is published: the answer becomes a 422.
    host.extend(mailerPublishGate, {
      name: 'third-party-plugin',
      check(template) {
        const word = wordIn(words, template.subject, template.text, template.html)
        return word === undefined
          ? null
          : { error: 'third_party_plugin_word', message: `It contains "${word}".` }
      }
    })

    // On the list of the mailer's setup page.
    host.extend(mailerSetupCheck, {
      name: 'third-party-plugin',
      label: 'Third party plugin',
      run() {
        if (words.length > 0)
          return { severity: 'ok', message: `${words.length} words are watched for.` }
        const hint = 'Set `words` in the config of third-party-plugin.'
        return { severity: 'warn', message: 'No words are watched for.', hint }
      }
    })

    // With every tick of the mailer.
    host.extend(mailerTick, {
      name: 'third-party-plugin',
      async run() {
        await held.deleteMany({ at: { $lt: new Date(host.clock.now().getTime() - KEEP_MS) } })
      }
    })

    host.route({
      method: 'GET',
      path: '/api/status',
      handler: async () => {
        const latest = await held
          .find({}, { projection: { _id: 0 } })
          .sort({ at: -1 })
          .limit(20)
          .toArray()
        return { words, latest }
      }
    })

    host.route({
      method: 'DELETE',
      path: '/api/held',
      handler: async (_request, reply) => {
        const { deletedCount } = await held.deleteMany({})
        if (deletedCount === 0) throw errors.THIR_NOTHING_HELD()
        return reply.code(204).send()
      }
    })
  }
})
