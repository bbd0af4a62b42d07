// What the browser tests of the demo share: signing in, the pages, and another admin UI.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'

interface Teardown {
  teardown(fn: () => Promise<void> | void): void
}

export interface Demo {
  readonly url: string
}

/** Signs in by keyboard and arrives where one wanted to go. */
export async function signIn(page: Page, demo: Demo, email: string, path: string): Promise<void> {
  await page.goto(`${demo.url}${path}`)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('keelson-demo')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.endsWith('/login'))
}

/** Another admin UI that is one HTML document, on the origin or on a free one. */
export async function startForeignAdmin(
  t: Teardown,
  html: () => string,
  origin = 'http://127.0.0.1:0'
): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(html())
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port, hostname } = new URL(origin)
  server.listen(Number(port), hostname)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface NavPage {
  readonly path: string
  readonly plugin: string
  readonly mount: string
}

/**
 * The addresses of all pages that the signed-in person may open, and the sign-in page, below the prefix of the
 * platform.
 */
export async function pathsOf(page: Page, { url }: Demo): Promise<readonly string[]> {
  const { pathname } = new URL(url)
  const prefix = pathname === '/' ? '' : pathname
  const read = (path: string) =>
    page.evaluate(`fetch(${JSON.stringify(path)}).then((answer) => answer.json())`)
  const nav = (await read(`${prefix}/shell/nav`)) as {
    sections: { pages: NavPage[] }[]
    hidden: NavPage[]
  }
  const pages = [...nav.sections.flatMap((section) => section.pages), ...nav.hidden]
  const dashboard = pages.find(({ plugin }) => plugin === 'telemetry-dashboard')?.mount
  const range = new URLSearchParams({
    from: new Date(Date.now() - 7 * 86_400_000).toISOString(),
    to: new Date().toISOString(),
    limit: '1'
  })
  const first = async (filter: string) => {
    const found = (await read(`${dashboard}/api/records?${range}&${filter}`)) as {
      items: { traceId: string; subject: string }[]
    }
    return found.items[0]
  }
  const queries: Readonly<Record<string, string>> = {
    [`${dashboard}/trace`]: `?trace=${(await first('kind=span'))?.traceId}`,
    [`${dashboard}/journey`]: `?subject=${(await first('name=order.placed'))?.subject}`
  }
  const own = pages.map(({ path }) => `${path}${queries[path] ?? ''}`.slice(prefix.length))
  return [...own, '/login']
}

/** In the page: resolves two frames after every answer is drawn. Looking through a page takes as long as drawing it. */
const WHEN_DRAWN = `new Promise((done) => {
  const deep = (root) =>
    [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])])
  const look = () =>
    deep(document).some((one) => one.matches('.bone, .busy.on, [aria-busy=true]'))
      ? setTimeout(look, 50)
      : requestAnimationFrame(() => requestAnimationFrame(done))
  look()
})`

/** Waits until the page has drawn every answer. */
export async function drawn(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  // Evaluated by the debugger: the policy of the page refuses code in a text.
  await page.evaluate(WHEN_DRAWN)
}
