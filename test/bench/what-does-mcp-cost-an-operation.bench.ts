// What a tool call over MCP costs above the same operation over HTTP, for both revisions, in one run.
import { createAgent } from '@keelson/agent'
import { createTestMailer } from '@keelson/mailer'
import Fastify, { type InjectOptions } from 'fastify'
import { inTurns, printFigure } from './measure.ts'

const TOKEN = 'a-token-of-the-benchmark-01'
const CALLS = 100
const TURNS = 7

const kit = await createTestMailer({ seedContacts: [] })
const app = Fastify()
const agent = createAgent(kit.mailer, { tokens: [{ token: TOKEN, actor: 'agent:bench' }] })
await app.register(agent.router, { prefix: '/agent' })
await app.register(agent.mcp(), { prefix: '/mcp' })
await app.ready()

const headers = {
  authorization: `Bearer ${TOKEN}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream'
}
const params = { name: 'list_runs', arguments: {} }
const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
const meta = 'io.modelcontextprotocol'
const current = {
  ...message,
  params: {
    ...params,
    _meta: {
      [`${meta}/protocolVersion`]: '2026-07-28',
      [`${meta}/clientInfo`]: { name: 'bench', version: '1' },
      [`${meta}/clientCapabilities`]: {}
    }
  }
}

/** Milliseconds of this process's CPU for one request: the time of a busy machine says little. */
async function each(request: InjectOptions): Promise<number> {
  const before = process.cpuUsage()
  for (let at = 0; at < CALLS; at++) {
    const reply = await app.inject(request)
    if (reply.statusCode !== 200) throw new Error(`${reply.statusCode}: ${reply.body}`)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / CALLS
}

const post = (payload: object, more: object = {}) =>
  ({
    method: 'POST',
    url: '/mcp',
    headers: { ...headers, ...more },
    payload
  }) satisfies InjectOptions
const ways = [
  ['2025-11-25', post(message, { 'mcp-protocol-version': '2025-11-25' })],
  [
    '2026-07-28',
    post(current, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'list_runs'
    })
  ]
] as const
const rest = { method: 'GET', url: '/agent/runs', headers } as const
for (const [revision, request] of ways) {
  const { first, second } = await inTurns(
    TURNS,
    () => each(rest),
    () => each(request)
  )
  const detail = `${second.toFixed(2)} ms and ${first.toFixed(2)} ms`
  printFigure(`ms of MCP ${revision} above HTTP`, second - first, { atMost: 2 }, detail)
}
await app.close()
await kit.stop()
