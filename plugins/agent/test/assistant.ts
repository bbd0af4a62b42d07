// An assistant that shows views, by the specification of MCP Apps: its page, a frame of another origin, and the policy.
import type { Client } from '@modelcontextprotocol/client'
import Fastify from 'fastify'
import type { Test } from 'tap'

/** A view as an assistant reads it. */
export interface ReadView {
  readonly text: string
  readonly _meta: { readonly ui: { readonly csp: { readonly resourceDomains: readonly string[] } } }
}

/** The policy that the specification asks of hosts. */
const policyOf = ({ _meta }: ReadView): string => {
  const from = _meta.ui.csp.resourceDomains.join(' ')
  return [
    "default-src 'none'",
    `script-src 'self' 'unsafe-inline' ${from}`,
    `style-src 'self' 'unsafe-inline' ${from}`,
    `img-src 'self' data: ${from}`,
    `font-src 'self' ${from}`,
    "connect-src 'none'",
    "frame-src 'none'",
    "base-uri 'self'",
    "object-src 'none'"
  ].join('; ')
}

/** Runs in the page of the assistant. */
function serveView(args: unknown): void {
  const frame = document.querySelector('iframe')
  const send = (message: object) =>
    frame?.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const { callTool } = globalThis as unknown as { callTool(params: object): Promise<object> }
  const heard: string[] = []
  Object.assign(globalThis, { heard })
  addEventListener('message', async ({ data }) => {
    const { id, method, params } = data
    heard.push(method)
    if (method === 'ui/initialize') {
      const hostContext = { theme: 'dark', locale: 'en-US' }
      send({ id, result: { protocolVersion: '2026-01-26', hostCapabilities: {}, hostContext } })
    } else if (method === 'ui/notifications/initialized')
      send({ method: 'ui/notifications/tool-input', params: { arguments: args } })
    else if (method === 'tools/call') send({ id, result: await callTool(params) })
    else if (id !== undefined) send({ id, result: {} })
  })
}

/** The address of a page that shows the view of a call. It must be open with `callTool` of the client. */
export async function serveAssistant(t: Test, view: ReadView, args: object): Promise<string> {
  const [assistant, sandbox] = [Fastify(), Fastify()]
  t.teardown(() => Promise.all([assistant.close(), sandbox.close()]))
  sandbox.get('/', (_request, reply) =>
    reply.type('text/html').header('content-security-policy', policyOf(view)).send(view.text)
  )
  const frame = await sandbox.listen({ port: 0, host: '127.0.0.1' })
  assistant.get('/', (_request, reply) =>
    reply
      .type('text/html')
      .send(
        `<!doctype html><title>Assistant</title><iframe src="${frame}/" width="1000" height="800" sandbox="allow-scripts allow-same-origin"></iframe><script>(${serveView})(${JSON.stringify(args)})</script>`
      )
  )
  return `${await assistant.listen({ port: 0, host: '127.0.0.1' })}/`
}

/** Reads a view. */
export async function readView(client: Client, uri: string): Promise<ReadView> {
  const { contents } = await client.readResource({ uri })
  return contents[0] as unknown as ReadView
}
