// How the tools that are contributed to mcp.tools/v1 are made.
import type { Static } from '@keelson/sdk'
import type { McpTool, McpViewer } from '@keelson/sdk/contracts/mcp-tools'
import { Compile, type TObject } from '@keelson/sdk/typebox'
import { QueryError } from '../queries/types.ts'

export const READ_SCOPE = 'telemetry:read'

interface ToolDefinition<Schema extends TObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Schema
  run(args: Static<Schema>, viewer: McpViewer): Promise<object>
}

export function defineTool<Schema extends TObject>(definition: ToolDefinition<Schema>): McpTool {
  const { name, title, description, input } = definition
  const compiled = Compile(input)
  return {
    name,
    title,
    description,
    inputSchema: JSON.parse(JSON.stringify(input)) as Record<string, unknown>,
    annotations: { readOnlyHint: true, openWorldHint: false },
    scopes: [READ_SCOPE],
    async handler(args = {}, viewer) {
      if (typeof viewer?.tenantId !== 'string' || viewer.tenantId === '') {
        throw new QueryError('no viewer')
      }
      if (!compiled.Check(args)) {
        const first = [...compiled.Errors(args)].at(0)
        const path = (first?.instancePath ?? '').slice(1).replaceAll('/', '.')
        const message = first?.message ?? 'is not as the schema says'
        throw new QueryError(`invalid arguments: ${path === '' ? 'they' : path} ${message}`)
      }
      const answer = await definition.run(args as Static<Schema>, viewer)
      // Dates become text; maps and undefined are not there.
      return JSON.parse(JSON.stringify(answer)) as Record<string, unknown>
    }
  }
}
