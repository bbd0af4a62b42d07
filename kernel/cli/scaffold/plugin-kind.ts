// The files of a plugin that keeps notes: a route of each sort, a collection, a job, a page and a test.
import { asJson, type Files, manifestHead, type Names, packageFile } from './parts.ts'

const DESCRIPTION = 'Keeps short notes and shows them on a page.'

export function pluginFiles(names: Names): Files {
  return {
    'plugin.json': asJson(manifest(names)),
    'package.json': packageFile(names, DESCRIPTION),
    'index.js': index(names),
    'errors.js': errorTable(names),
    'pages/notes.js': page(names),
    'test/plugin.test.js': pluginTest(names),
    'README.md': readme(names)
  }
}

function manifest(names: Names) {
  return {
    ...manifestHead(names, DESCRIPTION),
    routes: [
      { method: 'GET', path: '/api/notes', auth: 'viewer', summary: 'The latest notes.' },
      {
        method: 'POST',
        path: '/api/notes',
        auth: 'viewer',
        summary: 'Adds a note.',
        bodyLimit: 4096,
        rateLimit: { max: 60, windowSeconds: 60 }
      }
    ],
    collections: [
      {
        name: `${names.prefix}_notes`,
        indexes: [
          { name: 'by_tenant', keys: { tenantId: 1, createdAt: -1 } },
          { name: 'by_created', keys: { createdAt: 1 } }
        ],
        personalData: ['text'],
        retention: 'As long as `keepDays` in its config says.'
      }
    ],
    jobs: [{ name: 'forget', every: '1 hour' }],
    pages: [
      {
        id: 'notes',
        element: `${names.id}-notes`,
        module: './pages/notes.js',
        title: 'Notes',
        nav: { section: names.title, order: 1 },
        role: 'viewer'
      }
    ]
  }
}

const index = ({
  title,
  prefix,
  code
}: Names) => `// ${title}: keeps short notes and shows them on a page.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { definePlugin, Type } from '@keelson/sdk'
import { errors } from './errors.js'

const manifest = JSON.parse(readFileSync(new URL('./plugin.json', import.meta.url), 'utf8'))

const config = Type.Object(
  {
    keepDays: Type.Integer({ minimum: 1, default: 90, description: 'Days until a note is forgotten.' })
  },
  { additionalProperties: false }
)

const Note = Type.Object({ id: Type.String(), text: Type.String(), createdAt: Type.String() })

const DAY_MS = 86_400_000

export default definePlugin({
  manifest,
  config,
  folder: new URL('.', import.meta.url),
  register(host, { keepDays }) {
    const notes = host.collection('${prefix}_notes')

    host.route({
      method: 'GET',
      path: '/api/notes',
      schema: { response: { 200: Type.Object({ items: Type.Array(Note) }) } },
      handler: async (request, reply, { viewer }) => {
        const found = await notes
          .find({ tenantId: viewer.tenantId })
          .sort({ createdAt: -1 })
          .limit(50)
          .toArray()
        const items = found.map(({ _id, text, createdAt }) => ({
          id: _id,
          text,
          createdAt: createdAt.toISOString()
        }))
        return { items }
      }
    })

    host.route({
      method: 'POST',
      path: '/api/notes',
      schema: { body: Type.Object({ text: Type.String({ maxLength: 1000 }) }) },
      handler: async (request, reply, { viewer }) => {
        const text = request.body.text.trim()
        if (text === '') throw errors.${code}_EMPTY_NOTE()
        const note = { _id: randomUUID(), tenantId: viewer.tenantId, text, createdAt: host.clock.now() }
        await notes.insertOne(note)
        return reply.code(201).send({ id: note._id })
      }
    })

    host.job('forget', async ({ log }) => {
      const before = new Date(host.clock.now().getTime() - keepDays * DAY_MS)
      const { deletedCount } = await notes.deleteMany({ createdAt: { $lt: before } })
      if (deletedCount > 0) log.info({ deletedCount }, 'old notes are forgotten')
    })
  }
})
`

const errorTable = ({
  title,
  code
}: Names) => `// Every error that ${title} raises: what happened, what to do, and the HTTP status.
import { defineErrors } from '@keelson/sdk'

export const errors = defineErrors({
  ${code}_EMPTY_NOTE: {
    message: 'A note needs text.',
    remedy: 'Write something and send it again.',
    status: 400
  }
})
`

const page = ({
  id
}: Names) => `// The page: a custom element that the shell, or any other site, can show.
const TAG = '${id}-notes'

class NotesPage extends HTMLElement {
  #host
  #list = document.createElement('ul')
  #message = document.createElement('p')

  /** The shell sets it: \`fetch\` is relative to the mount of the plugin. */
  set host(host) {
    this.#host = host
    if (this.isConnected) this.#load()
  }

  connectedCallback() {
    const heading = document.createElement('h1')
    heading.textContent = 'Notes'
    this.#message.setAttribute('role', 'status')
    this.replaceChildren(heading, this.#form(), this.#message, this.#list)
    if (this.#host) this.#load()
  }

  #form() {
    const form = document.createElement('form')
    const label = document.createElement('label')
    const input = document.createElement('input')
    const button = document.createElement('button')
    input.name = 'text'
    input.required = true
    input.maxLength = 1000
    label.append('New note ', input)
    button.textContent = 'Add'
    form.append(label, ' ', button)
    form.addEventListener('submit', async event => {
      event.preventDefault()
      const body = JSON.stringify({ text: input.value })
      const headers = { 'content-type': 'application/json' }
      const response = await this.#host.fetch('/api/notes', { method: 'POST', headers, body })
      if (!response.ok) return this.#say('The note could not be added.')
      form.reset()
      await this.#load()
    })
    return form
  }

  async #load() {
    const response = await this.#host.fetch('/api/notes')
    if (!response.ok) return this.#say('The notes could not be read.')
    const { items } = await response.json()
    this.#say(items.length === 0 ? 'There are no notes yet.' : '')
    this.#list.replaceChildren(
      ...items.map(({ text }) => {
        const item = document.createElement('li')
        item.textContent = text
        return item
      })
    )
  }

  #say(text) {
    this.#message.textContent = text
  }
}

customElements.get(TAG) ?? customElements.define(TAG, NotesPage)
`

const pluginTest = ({ id, title }: Names) => `// ${title}, on a kernel and a database of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestHost } from '@keelson/sdk/testing'
import plugin from '../index.js'

const viewer = { tenantId: 'acme', role: 'viewer', viewerRef: 'user:u1' }
const DAY_MS = 86_400_000

async function open(t, options) {
  const host = await createTestHost({ plugin, viewer, ...options })
  t.after(() => host.close())
  const notes = async () => (await host.app.inject('/${id}/api/notes')).json().items
  const add = text =>
    host.app.inject({ method: 'POST', url: '/${id}/api/notes', payload: { text } })
  return { host, notes, add }
}

test('a note that was added is on the list', async t => {
  const { notes, add } = await open(t)
  assert.equal((await add('Buy tar')).statusCode, 201)
  assert.deepEqual((await notes()).map(note => note.text), ['Buy tar'])
})

test('a note without text is refused', async t => {
  const { add } = await open(t)
  assert.equal((await add('  ')).statusCode, 400)
})

test('a tenant does not see the notes of another', async t => {
  const { host, notes, add } = await open(t)
  await add('Ours')
  host.signIn({ ...viewer, tenantId: 'globex' })
  assert.deepEqual(await notes(), [])
})

test('nobody who is signed out gets in', async t => {
  const { host } = await open(t, { viewer: null })
  assert.equal((await host.app.inject('/${id}/api/notes')).statusCode, 401)
})

test('old notes are forgotten', async t => {
  const { host, notes, add } = await open(t, { config: { keepDays: 2 } })
  await add('Old')
  await host.clock.advance(DAY_MS)
  assert.equal((await notes()).length, 1)
  await host.clock.advance(2 * DAY_MS)
  assert.equal((await notes()).length, 0)
})
`

const readme = ({ id, title }: Names) => `# ${title}

Keeps short notes and shows them on a page. A Keelson plugin in plain JavaScript: nothing to build.

| file | what |
| --- | --- |
| \`plugin.json\` | everything it touches: routes, collections, jobs, pages |
| \`index.js\` | the code behind it |
| \`errors.js\` | every error it raises |
| \`pages/notes.js\` | its page, a custom element |
| \`test/\` | tests on a kernel and database of their own |

\`\`\`sh
npm test              # its tests
npx keelson check     # what is wrong with it, without starting it
npx keelson dev       # runs it on http://127.0.0.1:3000 and again after each change
\`\`\`

To use it on a platform, add one line to its \`keelson.config.json\`:

\`\`\`json
{ "plugins": { "${id}": { "package": "${id}", "config": { "keepDays": 90 } } } }
\`\`\`
`
