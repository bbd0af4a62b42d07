// What assistants get of the plugin: a tool that reads the domains, and the page as its view.
import { bindOperations, type Host, readable } from '@keelson/sdk'
import { type McpViewer, mcpTools } from '@keelson/sdk/contracts/mcp-tools'
import { mcpViews } from '@keelson/sdk/contracts/mcp-views'
import type { DnsContext } from '../monitoring/check-dns.ts'
import { dmarcOperations } from '../operations/dmarc-operations.ts'
import { overviewSchema } from '../operations/report-answers.ts'
import { readOverview } from '../overview/read-overview.ts'

const SCOPES = ['mail:read']
const TOOL = 'read_dmarc'

/** For administrators of these tenants, as the page is. */
export function showInAssistants(host: Host, context: DnsContext): void {
  const tenants = new Set(['*', ...(context.config.adminTenants ?? [])])
  const mayUse = ({ role, tenantId }: McpViewer) => role === 'admin' && tenants.has(tenantId)
  host.extend(mcpTools, [
    {
      name: TOOL,
      title: 'Read DMARC',
      description:
        'Domains with their DMARC policy, the next step, sources that fail, and the newest reports.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      outputSchema: JSON.parse(JSON.stringify(overviewSchema)),
      annotations: { readOnlyHint: true, openWorldHint: false },
      scopes: SCOPES,
      mayUse,
      handler: async () =>
        JSON.parse(JSON.stringify(readable(overviewSchema, await readOverview(context))))
    }
  ])
  host.extend(mcpViews, [
    {
      name: 'dmarc-domains',
      title: 'DMARC',
      tools: [TOOL],
      element: 'dmarc-domains',
      module: '/embed/dmarc/domains.js',
      mount: host.mount,
      path: '/admin/mailer/dmarc',
      scopes: SCOPES,
      operations: bindOperations(dmarcOperations, context),
      mayRead: mayUse
    }
  ])
}
