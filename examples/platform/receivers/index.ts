// A mock of what receivers say about the demo's mail: figures of Gmail and Outlook over HTTP, block lists over DNS.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Call, definePlugin, type Host, operation, Type } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import { dnsAnswer } from './dns-answers.ts'
import { gmailCompliance, gmailFigures, questionSchema } from './gmail.ts'
import { outlookFeed } from './outlook.ts'
import manifest from './plugin.json' with { type: 'json' }
import { readStory, type StoryRow, storySchema } from './story.ts'

const config = Type.Object(
  {
    dnsPort: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: 0,
      description: 'UDP port of 127.0.0.1 at which the DNS of block lists answers.'
    })
  },
  { additionalProperties: false }
)

const replaceStory = operation({
  id: 'receivers.story.replace',
  method: 'PUT',
  path: '/story',
  summary:
    'What block lists list, and the days on which people reported mail; only from this machine',
  access: { auth: 'admin' },
  effect: 'change',
  hints: { idempotent: true },
  body: storySchema,
  status: 204,
  answer: Type.Null(),
  async run({ body }, { host: stored, actor }: Call<Collection<StoryRow>>) {
    if (actor.isLocal !== true) return { ok: false, code: 'forbidden' } as const
    await stored.replaceOne({ _id: 'story' }, body, { upsert: true })
    return null
  }
})
const operations = [replaceStory]

function register(host: Host, { dnsPort }: { readonly dnsPort: number }): void {
  const stored = host.collection<StoryRow>('receivers_story')
  host.serve(operations, stored)
  serveGmail(host, stored)
  serveOutlook(host, stored)
  host.onReady(async () => {
    const socket = createSocket('udp4')
    socket.on('message', (query, { port, address }) => {
      const reply = async () => {
        const answer = dnsAnswer(query, (await readStory(stored)).listed)
        if (answer !== undefined) socket.send(answer, port, address)
      }
      reply().catch((error: unknown) => host.log.warn({ err: error }, 'a DNS query failed'))
    })
    host.onClose(() => void socket.close())
    socket.bind(dnsPort, '127.0.0.1')
    await once(socket, 'listening')
  })
}

const domainParam = { domain: Type.String({ minLength: 1, maxLength: 253 }) }

function serveGmail(host: Host, stored: Collection<StoryRow>): void {
  host.route({
    method: 'POST',
    path: '/gmail/v2/domains/:domain/:what',
    schema: {
      params: Type.Object({ ...domainParam, what: Type.Literal('domainStats:query') }),
      body: questionSchema
    },
    handler: async ({ body }) =>
      gmailFigures(body, { now: host.clock.now(), ...(await readStory(stored)) })
  })
  host.route({
    method: 'GET',
    path: '/gmail/v2/domains/:domain/complianceStatus',
    schema: { params: Type.Object(domainParam) },
    handler: async ({ params }) => gmailCompliance(params.domain)
  })
}

function serveOutlook(host: Host, stored: Collection<StoryRow>): void {
  host.route({
    method: 'GET',
    path: '/outlook/data.aspx',
    handler: async (_request, reply) => {
      const { reportedOn } = await readStory(stored)
      return reply.type('text/csv').send(outlookFeed(host.clock.now(), reportedOn))
    }
  })
  host.route({
    method: 'GET',
    path: '/outlook/ipStatus.aspx',
    handler: async (_request, reply) => reply.type('text/csv').send('')
  })
}

export default definePlugin({ manifest, config, operations, register })
