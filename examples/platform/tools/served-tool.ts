// A tool as the MCP server of the demo lists and calls it: its own, or one that a plugin contributes.
import type { Viewer } from '@keelson/sdk'
import type { McpTool, McpToolAnnotations } from '@keelson/sdk/contracts/mcp-tools'
import type { OAuthAccess } from '@keelson/sdk/contracts/oauth-protect'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'

/** Who calls: the access token, and the person who granted it. */
export interface Caller {
  readonly access: OAuthAccess
  /** The person as the sign-in plugin knows them now; null for one who is gone. */
  viewer(): Promise<Viewer | null>
  logFailure(error: unknown, tool: string): void
}

export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
  readonly [field: string]: unknown
}

export interface ServedTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
  readonly annotations?: McpToolAnnotations
  /** Scopes that a token needs. */
  readonly scopes: readonly string[]
  run(args: Readonly<Record<string, unknown>>, caller: Caller): Promise<ToolResult>
}

export const textOf = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })

/** A result that programs can read too. */
export const structured = (value: Readonly<Record<string, unknown>>): ToolResult => ({
  ...textOf(JSON.stringify(value)),
  structuredContent: value
})

/** A tool of `mcp.tools/v1`. Errors of the caller are shown to the model, all others are logged. */
export function contributedTool(tool: McpTool): ServedTool {
  const { name, title, description, annotations, scopes } = tool
  return {
    name,
    title,
    description,
    inputSchema: { ...tool.inputSchema, type: 'object' },
    annotations,
    scopes,
    async run(args, caller) {
      const viewer = await caller.viewer()
      if (viewer === null) {
        throw new McpError(ErrorCode.InvalidRequest, 'The person who granted access is unknown.')
      }
      try {
        return structured(await tool.handler(args, viewer))
      } catch (error) {
        if (isOfCaller(error)) return { ...textOf(error.message), isError: true }
        caller.logFailure(error, name)
        return { ...textOf('The tool failed. Try again later.'), isError: true }
      }
    }
  }
}

function isOfCaller(error: unknown): error is Error {
  const { status } = error as { readonly status?: unknown }
  return error instanceof Error && typeof status === 'number' && status >= 400 && status < 500
}
