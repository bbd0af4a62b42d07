// An assistant as `@modelcontextprotocol/ext-apps` shows one: its page, and a sandbox of another origin.
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { rolldown } from 'rolldown'

interface Teardown {
  teardown(fn: () => Promise<unknown>): void
}

/** Addresses of the assistant. */
export interface AssistantHost {
  readonly page: string
  readonly sandbox: string
}

const PAGE = fileURLToPath(new URL('./mcp-apps-page.js', import.meta.url))

/** The policy that the specification of 2026-01-26 asks of hosts. */
function policyOf(csp: string): string {
  const { resourceDomains = [] } = JSON.parse(csp) as { resourceDomains?: string[] }
  const from = resourceDomains.join(' ')
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

/** Runs in the sandbox: puts the view in a frame of its own, and passes messages on. */
function relay(): void {
  const inner = document.createElement('iframe')
  inner.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms')
  inner.style.cssText = 'width: 100%; height: 780px; border: 0'
  document.body.append(inner)
  addEventListener('message', ({ source, data }) => {
    if (source === inner.contentWindow) return parent.postMessage(data, '*')
    if (data?.method !== 'ui/notifications/sandbox-resource-ready')
      return inner.contentWindow?.postMessage(data, '*')
    const view = inner.contentDocument
    view?.open()
    view?.write(data.params.html)
    view?.close()
    return undefined
  })
  const method = 'ui/notifications/sandbox-proxy-ready'
  parent.postMessage({ jsonrpc: '2.0', method, params: {} }, '*')
}

/** Serves both until the test ends. */
export async function startAssistant(t: Teardown): Promise<AssistantHost> {
  const bundle = await rolldown({ input: PAGE, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  const [page, sandbox] = [Fastify(), Fastify()]
  t.teardown(() => Promise.all([page.close(), sandbox.close()]))
  page.get('/', (_request, reply) =>
    reply
      .type('text/html')
      .send('<!doctype html><title>Assistant</title><script type="module" src="/page.js"></script>')
  )
  page.get('/page.js', (_request, reply) => reply.type('text/javascript').send(output[0].code))
  sandbox.get<{ Querystring: { csp: string } }>('/', ({ query: { csp } }, reply) =>
    reply
      .type('text/html')
      .header('content-security-policy', policyOf(csp))
      .send(`<!doctype html><title>Sandbox</title><body><script>(${relay})()</script>`)
  )
  const listen = { port: 0, host: '127.0.0.1' }
  return { page: `${await page.listen(listen)}/`, sandbox: `${await sandbox.listen(listen)}/` }
}
