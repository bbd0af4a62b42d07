// What is contributed to `mcp.tools/v1`: tools as any MCP server can serve them, and how they are made.
import type { Static } from '@keelson/sdk'
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { QueryError } from '../queries/types.ts'

/** Who calls. The scope of every read comes from here, never from arguments. */
export interface McpViewer {
  readonly tenantId: string
  readonly role: string
  readonly viewerRef?: string
}

/**
 * One tool. A server shows name, title, description, inputSchema and annotations, asks for the scopes, and
 * answers with what the handler returns as structured content.
 */
export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON Schema of the arguments: a closed object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly annotations: { readonly readOnlyHint: true; readonly openWorldHint: false }
  /** OAuth scopes a token needs. */
  readonly scopes: readonly string[]
  /**
   * Checks the arguments itself. Answers a plain object that is JSON.
   *
   * @throws QueryError (status 400) whose message is for the caller: serve it as a tool error.
   */
  handler(args: unknown, viewer: McpViewer): Promise<Readonly<Record<string, unknown>>>
}

/** A contribution to `mcp.tools/v1`. */
export type McpTools = readonly McpTool[]

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
