// The agent API on a plain Fastify app, with a mailer whose mails are recorded.
import { createTestMailer, type TestMailer } from '@keelson/mailer'
import Fastify from 'fastify'
import type { Test } from 'tap'
import { type AgentOptions, createAgentRouter } from '../router.ts'

export const TOKEN = 'a-token-of-the-tests-0001'

/** A running app and what the test drives it with. */
export interface AgentApp extends TestMailer {
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
export async function agentApp(t: Test, options: Partial<AgentOptions> = {}): Promise<AgentApp> {
  const kit = await createTestMailer({
    seedContacts: [
      contactOf('t1', 't1@example.test'),
      contactOf('t2', 't2@example.test'),
      contactOf('p1', 'person@elsewhere.test')
    ],
    config: { senderDomains: { 'acme.test': { kind: 'both' } } }
  })
  t.teardown(() => kit.stop())
  await kit.mailer.startWorkers()
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(
    createAgentRouter(kit.mailer, {
      tokens: [{ token: TOKEN, actor: 'agent:test' }],
      testContacts: /^t\d+@example\.test$/,
      ...options
    }),
    { prefix: '/agent' }
  )
  return {
    ...kit,
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
