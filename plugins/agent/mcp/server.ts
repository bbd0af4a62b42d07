// The MCP server of one request: lists and calls tools, lists and reads resources. It keeps nothing.
import type { McpViews } from '@keelson/sdk/contracts/mcp-views'
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext
} from '@modelcontextprotocol/server'
import type { AgentHost } from '../agent-host.ts'
import type { TaskRuns } from '../tasks/task-runs.ts'
import { PLATFORM_ICON } from './icons.ts'
import { actorOf } from './operation-tool.ts'
import { pageOf } from './page.ts'
import { accessTo, listResources, RESOURCE_TEMPLATES, readResource } from './resources.ts'
import type { ServedTool, ToolCaller, ToolRun, Tools } from './served-tool.ts'
import { type Era, handleTasks, startTask, taskCapabilities } from './task-handlers.ts'
import { readView, VIEWS_EXTENSION, type ViewOrigin, viewResources, withView } from './views.ts'

/** What a server is made from. */
export interface ServerParts {
  readonly tools: Tools
  readonly host: AgentHost
  readonly caller: ToolCaller
  readonly views: McpViews
  readonly viewOrigin: ViewOrigin
  readonly tasks: TaskRuns
  readonly era: Era
  /** Whether the caller may use the mailer at all: an agent token, or an administrator. */
  mayUse(): Promise<boolean>
}

const INSTRUCTIONS =
  'Tools of a mailer and of the platform it runs on. Read mailer://docs/guide before a flow goes live. ' +
  'Tools for test contacts refuse all others. A refusal says in `fix` what to do next.'

/** How long clients may keep lists (2026-07-28). They depend on the token, so no one shares them. */
const CACHE_HINTS = {
  'server/discover': { ttlMs: 3_600_000, cacheScope: 'private' },
  'tools/list': { ttlMs: 300_000, cacheScope: 'private' },
  'resources/templates/list': { ttlMs: 3_600_000, cacheScope: 'private' },
  'resources/list': { ttlMs: 10_000, cacheScope: 'private' }
} as const

/** A server for one request. */
export function createServer(parts: ServerParts): Server {
  const { tools, host, caller, mayUse, views, viewOrigin, era } = parts
  const { extensions, ...ofTasks } = { extensions: {}, ...taskCapabilities(era) }
  const server = new Server(
    { name: 'keelson', title: 'Keelson', version: host.version, icons: [PLATFORM_ICON] },
    {
      capabilities: {
        tools: {},
        resources: {},
        ...ofTasks,
        extensions: { ...extensions, ...(views.length > 0 && { [VIEWS_EXTENSION]: {} }) }
      },
      instructions: INSTRUCTIONS,
      cacheHints: CACHE_HINTS
    }
  )
  const isOffered = ({ needsPerson }: ServedTool) => !needsPerson || caller.access !== undefined
  const mailer = async () => host.operations.as(actorOf(caller, await caller.viewer()))
  const reading = async () => accessTo(host, (await mayUse()) ? caller.caller : undefined)
  server.setRequestHandler('tools/list', async ({ params }) => {
    const all = [...tools.values()]
    const isFor = await Promise.all(all.map((tool) => tool.isFor(caller)))
    const { rows, ...next } = pageOf(
      all.filter((_tool, index) => isFor[index]),
      params?.cursor
    )
    return { tools: rows.map(({ listed }) => withView(listed, views)), ...next }
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.get(params.name)
    if (tool === undefined || !isOffered(tool))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The tool is unknown.')
    const args = params.arguments ?? {}
    const started = await startTask(tool, parts, { args, task: params.task, context })
    return started ?? tool.run(args, caller, runOf(context))
  })
  handleTasks(server, parts)
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [...RESOURCE_TEMPLATES]
  }))
  server.setRequestHandler('resources/list', async ({ params }) =>
    listResources(await mailer(), {
      cursor: params?.cursor,
      mayRead: await reading(),
      more: viewResources(views)
    })
  )
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const found =
      readView(uri, views, viewOrigin) ??
      (await readResource(await mailer(), uri, { mayRead: await reading() }))
    if (found === null) throw new ResourceNotFoundError(uri, 'The resource is unknown.')
    return { contents: [found] }
  })
  return server
}

function runOf({ mcpReq: { signal, _meta, notify } }: ServerContext): ToolRun {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return { signal }
  let last = -1
  return {
    signal,
    progress(progress, total, message) {
      // The protocol wants each number to be higher than the last.
      if (progress <= last) return
      last = progress
      const params = { progressToken, progress, total, message }
      // A client that is gone ends the call by its signal.
      notify({ method: 'notifications/progress', params }).catch(() => undefined)
    }
  }
}
