// How the tools that are contributed to mcp.tools/v1 are made.
import { atFirstUse, type Static } from '@keelson/sdk'
import type { McpTool, McpViewer } from '@keelson/sdk/contracts/mcp-tools'
import { Compile, type TObject, type TSchema } from '@keelson/sdk/typebox'
import { QueryError } from '../queries/types.ts'
import { unfinishedRead } from '../queries/unfinished.ts'

export const READ_SCOPE = 'telemetry:read'

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#3b66d6" stroke-width="2"><path d="M4 3v17h17M8 16l4-6 4 3 4-7"/></svg>'

interface ToolDefinition<Schema extends TObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Schema
  readonly output: TSchema
  run(args: Static<Schema>, viewer: McpViewer): Promise<object>
}

export function defineTool<Schema extends TObject>(definition: ToolDefinition<Schema>): McpTool {
  const { name, title, description, input, output } = definition
  const checked = atFirstUse(() => Compile(input))
  return {
    name,
    title,
    description,
    inputSchema: plain(input),
    outputSchema: plain(output),
    annotations: { readOnlyHint: true, openWorldHint: false },
    icon: ICON,
    scopes: [READ_SCOPE],
    async handler(args = {}, viewer) {
      if (typeof viewer?.tenantId !== 'string' || viewer.tenantId === '') {
        throw new QueryError('no viewer')
      }
      const compiled = checked()
      if (!compiled.Check(args)) {
        const first = [...compiled.Errors(args)].at(0)
        const path = (first?.instancePath ?? '').slice(1).replaceAll('/', '.')
        const message = first?.message ?? 'is not as the schema says'
        throw new QueryError(`invalid arguments: ${path === '' ? 'they' : path} ${message}`)
      }
      const answer = await runFinished(() => definition.run(args as Static<Schema>, viewer))
      // Dates become text; maps and undefined are not there.
      return JSON.parse(JSON.stringify(answer)) as Record<string, unknown>
    }
  }
}

async function runFinished(run: () => Promise<object>): Promise<object> {
  try {
    return await run()
  } catch (error) {
    throw unfinishedRead(error)
  }
}

const plain = (schema: TSchema): Record<string, unknown> => JSON.parse(JSON.stringify(schema))
