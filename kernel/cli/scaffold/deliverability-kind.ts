// The files of a deliverability plugin: gates for sends and publishing, a setup check, a tick, a page.
import { asJson, type Files, manifestHead, type Names, packageFile } from './parts.ts'

const DESCRIPTION = 'Holds mail that contains words you do not want to send.'

export function deliverabilityFiles(names: Names): Files {
  return {
    'plugin.json': asJson(manifest(names)),
    'package.json': packageFile(names, DESCRIPTION, ['words.js']),
    'index.js': index(names),
    'errors.js': errorTable(names),
    'words.js': words(names),
    'pages/status.js': page(names),
    'test/plugin.test.js': pluginTest(names),
    'README.md': readme(names)
  }
}

const POINTS = [
  'mailer.send-gate/v1',
  'mailer.publish-gate/v1',
  'mailer.setup-check/v1',
  'mailer.tick/v1'
]

function manifest(names: Names) {
  return {
    ...manifestHead(names, DESCRIPTION),
    // Optional, so that the plugin also starts where there is no mailer.
    uses: POINTS.map((capability) => ({ capability, optional: true })),
    routes: [
      { method: 'GET', path: '/api/status', auth: 'admin', summary: 'Words and what was held.' },
      { method: 'DELETE', path: '/api/held', auth: 'admin', summary: 'Forgets what was held.' }
    ],
    collections: [
      {
        name: `${names.prefix}_held`,
        indexes: [{ name: 'by_at', keys: { at: -1 } }],
        retention: '30 days.'
      }
    ],
    pages: [
      {
        id: 'status',
        element: `${names.id}-status`,
        module: './pages/status.js',
        title: names.title,
        nav: { section: 'Deliverability', order: 90 },
        role: 'admin'
      }
    ]
  }
}

const index = ({
  id,
  title,
  prefix,
  code
}: Names) => `// ${title}: holds mail that contains words you do not want to send.
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
    const held = host.collection('${prefix}_held')

    // Before each send: null lets it go, anything else holds it.
    host.extend(mailerSendGate, {
      name: '${id}',
      async check(send) {
        const word = wordIn(words, send.subject, send.text, send.html)
        if (word === undefined) return null
        await held.insertOne({ at: host.clock.now(), word })
        return { error: '${prefix}_word', message: \`It contains "\${word}".\` }
      }
    })

    // Before a template is published: the answer becomes a 422.
    host.extend(mailerPublishGate, {
      name: '${id}',
      check(template) {
        const word = wordIn(words, template.subject, template.text, template.html)
        return word === undefined ? null : { error: '${prefix}_word', message: \`It contains "\${word}".\` }
      }
    })

    // On the list of the mailer's setup page.
    host.extend(mailerSetupCheck, {
      name: '${id}',
      label: '${title}',
      run() {
        if (words.length > 0) return { severity: 'ok', message: \`\${words.length} words are watched for.\` }
        const hint = 'Set \`words\` in the config of ${id}.'
        return { severity: 'warn', message: 'No words are watched for.', hint }
      }
    })

    // With every tick of the mailer.
    host.extend(mailerTick, {
      name: '${id}',
      async run() {
        await held.deleteMany({ at: { $lt: new Date(host.clock.now().getTime() - KEEP_MS) } })
      }
    })

    host.route({
      method: 'GET',
      path: '/api/status',
      handler: async () => {
        const latest = await held.find({}, { projection: { _id: 0 } }).sort({ at: -1 }).limit(20).toArray()
        return { words, latest }
      }
    })

    host.route({
      method: 'DELETE',
      path: '/api/held',
      handler: async (request, reply) => {
        const { deletedCount } = await held.deleteMany({})
        if (deletedCount === 0) throw errors.${code}_NOTHING_HELD()
        return reply.code(204).send()
      }
    })
  }
})
`

const words = ({ title }: Names) => `// ${title}: which word a mail contains.

/** The first of the words that one of the texts contains, whatever the case; undefined for none. */
export function wordIn(words, ...texts) {
  const all = texts.filter(text => typeof text === 'string').join('\\n').toLowerCase()
  return words.find(word => all.includes(word.toLowerCase()))
}
`

const errorTable = ({
  title,
  code
}: Names) => `// Every error that ${title} raises: what happened, what to do, and the HTTP status.
import { defineErrors } from '@keelson/sdk'

export const errors = defineErrors({
  ${code}_NOTHING_HELD: {
    message: 'Nothing was held.',
    remedy: 'There is nothing to forget.',
    status: 404
  }
})
`

const page = ({
  id,
  title
}: Names) => `// The page: a custom element that the shell, or any other admin UI, can show.
const TAG = '${id}-status'

class StatusPage extends HTMLElement {
  #host
  #message = document.createElement('p')
  #list = document.createElement('ul')

  /** The shell sets it: \`fetch\` is relative to the mount of the plugin. */
  set host(host) {
    this.#host = host
    if (this.isConnected) this.#load()
  }

  connectedCallback() {
    const heading = document.createElement('h1')
    heading.textContent = '${title}'
    this.#message.setAttribute('role', 'status')
    this.replaceChildren(heading, this.#message, this.#list)
    if (this.#host) this.#load()
  }

  async #load() {
    const response = await this.#host.fetch('/api/status')
    if (!response.ok) {
      this.#message.textContent = 'The status could not be read.'
      return
    }
    const { words, latest } = await response.json()
    const held = latest.length === 0 ? 'nothing was held' : 'held lately:'
    this.#message.textContent = \`\${words.length} words are watched for; \${held}\`
    this.#list.replaceChildren(
      ...latest.map(({ at, word }) => {
        const item = document.createElement('li')
        item.textContent = \`\${new Date(at).toLocaleString()}: \${word}\`
        return item
      })
    )
  }
}

customElements.get(TAG) ?? customElements.define(TAG, StatusPage)
`

const pluginTest = ({
  id,
  title,
  prefix
}: Names) => `// ${title}, beside a stand-in for the mailer, on a kernel and a database of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definePlugin } from '@keelson/sdk'
import { mailerPublishGate } from '@keelson/sdk/contracts/mailer-publish-gate'
import { mailerSendGate } from '@keelson/sdk/contracts/mailer-send-gate'
import { mailerSetupCheck } from '@keelson/sdk/contracts/mailer-setup-check'
import { mailerTick } from '@keelson/sdk/contracts/mailer-tick'
import { createTestHost } from '@keelson/sdk/testing'
import plugin from '../index.js'

const admin = { tenantId: 'acme', role: 'admin', viewerRef: 'user:u1' }
const points = [mailerSendGate, mailerPublishGate, mailerSetupCheck, mailerTick]

/** What the mailer would do: owns the points and asks the contributors. */
async function open(t, config) {
  let mailer
  const standIn = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'mailer',
      name: 'Stand-in',
      version: '1.0.0',
      kernel: '*',
      description: 'Owns the extension points of the mailer.',
      license: 'MIT',
      extensionPoints: points.map(({ id }) => id)
    },
    register(host) {
      mailer = host
    }
  })
  const host = await createTestHost({ plugin, plugins: [standIn], config, viewer: admin })
  t.after(() => host.close())
  const [sendGate, publishGate, setupCheck, tick] = points.map(point => mailer.contributions(point)[0])
  const status = async () => (await host.app.inject('/${id}/api/status')).json()
  return { host, sendGate, publishGate, setupCheck, tick, status }
}

test('a mail with an unwanted word is held and shown, another goes', async t => {
  const { sendGate, status } = await open(t, { words: ['bargain'] })
  assert.equal(await sendGate.check({ subject: 'Your receipt', text: 'Thank you.' }), null)
  const answer = await sendGate.check({ subject: 'A BARGAIN', text: '' })
  assert.equal(answer.error, '${prefix}_word')
  assert.deepEqual((await status()).latest.map(({ word }) => word), ['bargain'])
})

test('a template with an unwanted word cannot be published', async t => {
  const { publishGate } = await open(t)
  assert.equal(publishGate.check({ subject: 'Hello', html: '<p>Hello</p>' }), null)
  assert.match(publishGate.check({ html: '<p>Free money!</p>' }).message, /free money/)
})

test('the setup check warns when there is nothing to watch for', async t => {
  const { setupCheck } = await open(t, { words: [] })
  assert.equal(setupCheck.run().severity, 'warn')
  const other = await open(t)
  assert.equal(other.setupCheck.run().severity, 'ok')
})

test('what was held is forgotten after 30 days', async t => {
  const { host, sendGate, tick, status } = await open(t)
  await sendGate.check({ subject: 'Act now' })
  await host.clock.advance(31 * 86_400_000)
  await tick.run()
  assert.deepEqual((await status()).latest, [])
})

test('what was held can be forgotten by hand', async t => {
  const { host, sendGate } = await open(t)
  const forget = () => host.app.inject({ method: 'DELETE', url: '/${id}/api/held' })
  await sendGate.check({ subject: 'Act now' })
  assert.equal((await forget()).statusCode, 204)
  assert.equal((await forget()).statusCode, 404)
})

test('only an admin may look', async t => {
  const { host } = await open(t)
  host.signIn({ ...admin, role: 'viewer' })
  assert.equal((await host.app.inject('/${id}/api/status')).statusCode, 403)
})

test('it starts where there is no mailer', async t => {
  const host = await createTestHost({ plugin, viewer: admin })
  t.after(() => host.close())
  assert.equal((await host.app.inject('/${id}/api/status')).statusCode, 200)
})
`

const readme = ({ id, title }: Names) => `# ${title}

Holds mail that contains words you do not want to send. A Keelson plugin in plain JavaScript: nothing to build.

| extension point | what it does there |
| --- | --- |
| \`mailer.send-gate/v1\` | holds a send: \`check(send)\` answers null or \`{ error, message }\` |
| \`mailer.publish-gate/v1\` | refuses to publish a template: \`check(template)\`, the same answer |
| \`mailer.setup-check/v1\` | a line on the setup page: \`run()\` answers \`{ severity, message, hint }\` |
| \`mailer.tick/v1\` | runs with every tick of the mailer |

Besides, it has two admin routes and a page. All of it is declared in \`plugin.json\`. The extension points are optional: without the mailer the plugin starts and waits.

\`\`\`sh
npm test              # its tests, beside a stand-in for the mailer
npx keelson check     # what is wrong with it, without starting it
npx keelson dev       # runs it on http://127.0.0.1:3000 and again after each change
\`\`\`

To use it on a platform, add one line to its \`keelson.config.json\`:

\`\`\`json
{ "plugins": { "${id}": { "package": "${id}", "config": { "words": ["act now"] } } } }
\`\`\`
`
