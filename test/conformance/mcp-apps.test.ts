// Every view of the platform in an assistant of `@modelcontextprotocol/ext-apps`, with the token of a person.
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { sharedDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import { startAssistant } from './mcp-apps-host.ts'
import type { Shown } from './mcp-apps-page.ts'
import { openOAuthDemo, tokenOfPerson } from './oauth-demo.ts'

tap.teardown(stopSharedDemo)
tap.teardown(closeBrowser)

const SCOPES = ['mail:read', 'mail:write', 'telemetry:read']

/** Only contacts who are subscribed. */
const segment = {
  filters: [{ kind: 'subscriptionStatus', equals: 'subscribed' }]
}

const VIEWS: readonly {
  readonly tool: string
  readonly args: Record<string, unknown>
  readonly element: string
  readonly shows: RegExp
}[] = [
  {
    tool: 'render_template',
    args: { slug: 'welcome', contactId: 'u1' },
    element: 'mailer-template',
    shows: /Welcome/
  },
  {
    tool: 'simulate_flow',
    args: { slug: 'onboarding', contactId: 'u1' },
    element: 'mailer-flow',
    shows: /user\.signed_up/
  },
  {
    tool: 'create_broadcast',
    args: {
      slug: 'shown-in-an-assistant',
      name: 'Shown in an assistant',
      templateSlug: 'newsletter',
      segmentDefinition: segment
    },
    element: 'mailer-broadcast',
    shows: /Shown in an assistant/
  },
  { tool: 'read_dmarc', args: {}, element: 'dmarc-domains', shows: /No DMARC reports yet/ },
  {
    tool: 'event_trends',
    args: { name: 'http.request', interval: 'hour' },
    element: 'telemetry-dashboard-events',
    shows: /in range/
  }
]

for (const { tool, args, element, shows } of VIEWS) {
  test(`an assistant shows ${element} beside ${tool}`, browserOptions, async (t) => {
    const demo = await sharedDemo()
    const oauth = await openOAuthDemo(demo, 'admin@acme.test')
    const mcp = `${demo.url}/mcp`
    const token = await tokenOfPerson(oauth, { resource: mcp, scopes: SCOPES })
    const { page: address, sandbox } = await startAssistant(t)
    const { page } = await openPage(t)
    const asked: string[] = []
    const called: string[] = []
    const refused: string[] = []
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url())
      if (origin !== new URL(demo.url).origin) return
      if (pathname === '/mcp') called.push(request.postData() ?? '')
      else asked.push(pathname)
    })
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text())
    })
    await page.goto(address)
    const shown: Shown = { mcp, token, tool, args, sandbox }
    await page.evaluate(
      (given) => (globalThis as unknown as { show(shown: Shown): Promise<void> }).show(given),
      shown
    )
    const view = page.frameLocator('iframe').frameLocator('iframe')
    await view.locator(element).getByText(shows).filter({ visible: true }).first().waitFor()
    t.equal(await view.locator(element).getAttribute('color-scheme'), 'dark')
    t.equal(await view.locator('[role=alert]').count(), 0)
    t.ok(asked.length > 0 && asked.every((path) => path.startsWith('/embed/')), String(asked))
    t.same(refused, [])
    t.ok(called.some((body) => body.includes('"read_view"')))
    t.ok(Number(await page.evaluate('sizes')) > 0)
  })
}
