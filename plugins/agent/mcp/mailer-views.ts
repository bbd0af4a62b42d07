// Pages of the mailer as views of the tools that are about the same thing.
import type { McpView, McpViews } from '@keelson/sdk/contracts/mcp-views'
import type { AgentHost } from '../agent-host.ts'

const PAGES: readonly Pick<McpView, 'name' | 'title' | 'tools' | 'params'>[] = [
  {
    name: 'template',
    title: 'Template',
    tools: ['put_template', 'render_template', 'verify_template'],
    params: { contactId: 'contact' }
  },
  {
    name: 'flow',
    title: 'Flow',
    tools: ['simulate_flow', 'run_canary', 'gate_flow', 'ungate_flow', 'arm_flow', 'disarm_flow'],
    params: { contactId: 'sim' }
  },
  {
    name: 'broadcast',
    title: 'Broadcast',
    tools: ['create_broadcast', 'get_broadcast', 'count_broadcast', 'schedule_broadcast']
  }
]

/** `mayRead`: the administrators of the mailer. */
export function mailerViews(
  { operations }: Pick<AgentHost, 'operations'>,
  mayRead: McpView['mayRead']
): McpViews {
  return PAGES.map((page) => ({
    ...page,
    name: `mailer-${page.name}`,
    element: `mailer-${page.name}`,
    module: `/embed/mailer/${page.name}.js`,
    path: `/admin/mailer/${page.name}`,
    mount: '',
    sub: 'slug',
    scopes: ['mail:read'],
    operations: [...operations.own, ...operations.contributed()],
    mayRead
  }))
}
