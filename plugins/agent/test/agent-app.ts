// The agent API on a plain Fastify app, with a mailer whose mails are recorded.
import type { AddressInfo } from 'node:net'
import mailerPlugin, {
  createMailerPublic,
  createTestMailer,
  type MailerConfig,
  type TestMailer
} from '@keelson/mailer'
import { bindOperations, definitionOf } from '@keelson/sdk'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Collection } from 'mongodb'
import type { Test } from 'tap'
import type { AgentOptions, AgentSeams } from '../agent-parts.ts'
import { boundSchemas } from '../answers/mailer-schemas.ts'
import { createAgentOn, seamsBeside } from '../create-agent.ts'
import type { AnswerRow } from '../idempotency/answer-row.ts'
import type { McpOptions } from '../mcp/mcp-routes.ts'
import { agentOperationsWith } from '../operations/all-operations.ts'
import type { AgentAdminOptions } from '../routes/token-admin.ts'

/** Every operation of the agent API, as it is served beside the mailer. */
export const servedOperations = agentOperationsWith(
  boundSchemas(bindOperations(definitionOf(mailerPlugin)?.operations ?? [], undefined as never))
)

export const TOKEN = 'a-token-of-the-tests-0001'

/** A running app and what the test drives it with. */
export interface AgentApp extends TestMailer {
  /** With the public routes of the mailer below `/m`. */
  readonly app: FastifyInstance
  /** The mailer by its contracts. */
  readonly seams: AgentSeams
  /** A client of the MCP SDK, with the token of the tests. */
  connect(token?: string): Promise<Client>
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    payload?: unknown,
    headers?: Readonly<Record<string, string>>
    // biome-ignore lint/suspicious/noExplicitAny: a reply of any shape, looked at by assertions
  ): Promise<{ readonly status: number; readonly body: any; readonly headers: object }>
}

const contactOf = (externalId: string, email: string) => ({
  externalId,
  email,
  tags: [],
  fields: {}
})

/** `t1` and `t2` are test contacts, `p1` is not. Queues run as on a worker. */
export async function agentApp(
  t: Test,
  options: Partial<AgentOptions> & {
    readonly mcp?: McpOptions
    readonly admin?: AgentAdminOptions
    readonly config?: Partial<MailerConfig>
    /** Default: that of the circuit breaker beside the mailer. */
    readonly health?: AgentSeams['health']
    /** Wraps the kept answers. */
    readonly answersBehind?: (answers: Collection<AnswerRow>) => Collection<AnswerRow>
  } = {}
): Promise<AgentApp> {
  const kit = await createTestMailer({
    seedContacts: [
      contactOf('t1', 't1@example.test'),
      contactOf('t2', 't2@example.test'),
      contactOf('p1', 'person@elsewhere.test')
    ],
    config: { senderDomains: { 'acme.test': { kind: 'both' } }, ...options.config }
  })
  t.teardown(() => kit.stop())
  await kit.mailer.startWorkers()
  const app = Fastify()
  t.teardown(() => app.close())
  const { mcp, admin, config: _config, answersBehind = (answers) => answers, ...more } = options
  const seams = seamsBeside(kit.mailer)
  const { health = seams.health, ...agentOptions } = more
  const agent = createAgentOn(
    {
      tokens: [{ token: TOKEN, actor: 'agent:test' }],
      testContacts: /^t\d+@example\.test$/,
      ...agentOptions
    },
    { ...seams, health, answers: async () => answersBehind(await seams.answers()) }
  )
  await app.register(agent.router, { prefix: '/agent' })
  await app.register(agent.mcp(mcp), { prefix: '/mcp' })
  await app.register(agent.admin(admin), { prefix: '/console' })
  await app.register(createMailerPublic(kit.mailer), { prefix: '/m' })
  return {
    ...kit,
    app,
    seams,
    async connect(token = TOKEN) {
      if (app.server.address() === null) await app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = app.server.address() as AddressInfo
      const client = new Client({ name: 'test', version: '1.0.0' })
      const requestInit = { headers: { authorization: `Bearer ${token}` } }
      const address = new URL(`http://127.0.0.1:${port}/mcp`)
      const transport = new StreamableHTTPClientTransport(address, { requestInit })
      // The SDK types its own class without `undefined`, its interface with it.
      await client.connect(transport as Parameters<Client['connect']>[0])
      t.teardown(() => client.close())
      return client
    },
    async call(method, path, payload, headers = { authorization: `Bearer ${TOKEN}` }) {
      const url = `/agent${path}`
      const reply = await app.inject({
        method,
        url,
        headers,
        ...(payload !== undefined && { payload: payload as object })
      })
      return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
    }
  }
}

const words = 'Hello, these are words enough for the text part of a mail.'

/** A template document that breaks no rule. */
export const receipt = (more: object = {}) => ({
  name: 'Receipt',
  kind: 'transactional',
  fromName: 'Acme',
  fromEmail: 'hello@acme.test',
  subject: 'Your receipt',
  body: { html: `<p>${words}</p><p>{{contact.email}}</p>` },
  ...more
})
