// A page for element tests: the built browser files behind the same policy as in the shell.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { UiManifest } from '../ui-manifest.ts'
import { openPage, type TestPage } from './browser.ts'

const browserFolder = fileURLToPath(new URL('../browser', import.meta.url))
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' }

interface Teardown {
  teardown(fn: () => Promise<void> | void): void
}

/** Opens an empty document in which `import('@keelson/ui')` works. */
export async function openElementPage(
  t: Teardown,
  options: Parameters<typeof openPage>[1] & {
    readonly body?: string
    prepare?(page: Page): Promise<unknown>
  } = {}
): Promise<TestPage> {
  const { body = '', prepare, ...context } = options
  const origin = await serve(t, documentOf(body))
  const opened = await openPage(t, context)
  await prepare?.(opened.page)
  await opened.page.goto(origin)
  return opened
}

interface TestDocument {
  readonly html: string
  readonly policy: string
}

function documentOf(body: string): TestDocument {
  const text = readFileSync(join(browserFolder, 'manifest.json'), 'utf8')
  const { imports, styles } = JSON.parse(text) as UiManifest
  const files = Object.entries(imports).map(([name, file]) => [name, `/${file}`])
  const map = JSON.stringify({ imports: Object.fromEntries(files) })
  const hash = createHash('sha256').update(map).digest('base64')
  return {
    policy: `default-src 'self'; script-src 'self' 'sha256-${hash}'; style-src 'self'`,
    html: `<!doctype html><html lang="en"><head><title>Elements</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/${styles}"><script type="importmap">${map}</script></head>
<body><main><h1>Elements</h1>${body}</main></body></html>`
  }
}

function serve(t: Teardown, { html, policy }: TestDocument): Promise<string> {
  const server = createServer((request, response) => {
    const name = /^\/([\w.-]+\.(js|css))$/.exec(request.url ?? '')
    if (name === null) {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.setHeader('content-security-policy', `${policy}; img-src data:`)
      response.end(html)
      return
    }
    response.setHeader('content-type', TYPES[name[2] ?? ''] ?? 'text/plain')
    response.end(readFileSync(join(browserFolder, name[1] ?? '')))
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve(`http://127.0.0.1:${port}/`)
    })
  })
}
