// What assistants get: the tool that reads the domains, and the page as its view, for administrators.
import { createMailerStandIn } from '@keelson/mailer/testing'
import { definePlugin, type Host } from '@keelson/sdk'
import { type McpTool, mcpTools } from '@keelson/sdk/contracts/mcp-tools'
import { type McpView, mcpViews } from '@keelson/sdk/contracts/mcp-views'
import { createTestHost } from '@keelson/sdk/testing'
import { Compile, type TSchema } from '@keelson/sdk/typebox'
import { test } from 'tap'
import plugin from '../plugin.ts'
import { formOf } from './dmarc-host.ts'
import { reportXml } from './report-xml.ts'

const ADMIN = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }

test('an administrator reads the domains by a tool that names the page as its view', async (t) => {
  let tools: readonly McpTool[] = []
  let views: readonly McpView[] = []
  const agent = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'agent',
      name: 'Agent',
      version: '1.0.0',
      kernel: '*',
      description: 'Stands in for the server of MCP.',
      license: 'MIT',
      extensionPoints: ['mcp.tools/v1', 'mcp.views/v1']
    },
    register: (host: Host) =>
      host.onReady(() => {
        tools = host.contributions(mcpTools).flat()
        views = host.contributions(mcpViews).flat()
      })
  })
  const mailer = createMailerStandIn({ senderDomains: [{ domain: 'acme.test', kind: 'both' }] })
  const host = await createTestHost({
    plugin,
    plugins: [mailer.plugin, agent],
    viewer: ADMIN,
    config: { adminTenants: ['acme'] }
  })
  t.teardown(() => host.close())
  const xml = reportXml({ domain: 'acme.test', records: [{ ip: '192.0.2.1', count: 90 }] })
  const form = formOf([{ field: 'file', filename: 'report.xml', content: Buffer.from(xml) }])
  const url = '/admin/mailer/api/dmarc/upload'
  t.equal((await host.app.inject({ method: 'POST', url, ...form })).statusCode, 200)
  const [tool] = tools
  const [view] = views
  if (tool === undefined || view === undefined) throw new Error('nothing was contributed')
  const answer = await tool.handler({}, ADMIN)
  t.match(answer, { domains: [{ domain: 'acme.test' }] })
  t.same([...Compile(tool.outputSchema as TSchema).Errors(answer)], [])
  t.same(view.tools, [tool.name])
  const embed = await host.app.inject({ url: view.module })
  t.match(embed.body, view.element)
  for (const [viewer, may] of [
    [ADMIN, true],
    [{ ...ADMIN, role: 'viewer' }, false],
    [{ ...ADMIN, tenantId: 'globex' }, false],
    [{ tenantId: '*', role: 'admin' }, true]
  ] as const)
    t.same([tool.mayUse?.(viewer), view.mayRead(viewer)], [may, may])
})
