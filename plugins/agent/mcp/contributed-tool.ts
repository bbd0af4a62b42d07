// A tool of mcp.tools/v1: it acts for a person, with what the person may see.
import type { McpTool } from '@keelson/sdk/contracts/mcp-tools'
import { iconOf, PLATFORM_ICON } from './icons.ts'
import { loadMcp } from './load-mcp.ts'
import { failed, type ServedTool, structured } from './served-tool.ts'

/** Errors of the caller are shown to the model, all others are logged. */
export function contributedTool(tool: McpTool): ServedTool {
  const { name, title, description, annotations, scopes, inputSchema, outputSchema, icon } = tool
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: { ...withoutHeaders(inputSchema), type: 'object' },
      ...(outputSchema !== undefined && { outputSchema: { ...outputSchema, type: 'object' } }),
      annotations,
      icons: [icon === undefined ? PLATFORM_ICON : iconOf(icon)]
    },
    scopes,
    async isFor({ access, viewer }) {
      if (access === undefined || tool.mayUse === undefined) return access !== undefined
      const person = await viewer()
      return person !== null && tool.mayUse(person)
    },
    needsPerson: true,
    isLong: false,
    async run(args, { viewer, log }) {
      const person = await viewer()
      if (person === null) {
        const { ProtocolError, ProtocolErrorCode } = await loadMcp()
        throw new ProtocolError(
          ProtocolErrorCode.InvalidRequest,
          'The person who granted access is unknown.'
        )
      }
      if (tool.mayUse?.(person) === false) return failed('The person may not use this tool.')
      try {
        return structured(await tool.handler(args, person))
      } catch (error) {
        if (isOfCaller(error)) return failed(error.message)
        log.error({ err: error, tool: name }, 'agent: a tool failed')
        return failed('The tool failed. Try again later.')
      }
    }
  }
}

/** A server that lists `x-mcp-header` must hold headers to arguments (2026-07-28). Here arguments are read from bodies alone. */
const withoutHeaders = (schema: McpTool['inputSchema']): McpTool['inputSchema'] =>
  JSON.parse(JSON.stringify(schema, (name, value) => (name === 'x-mcp-header' ? undefined : value)))

function isOfCaller(error: unknown): error is Error {
  const { status } = error as { readonly status?: unknown }
  return error instanceof Error && typeof status === 'number' && status >= 400 && status < 500
}
