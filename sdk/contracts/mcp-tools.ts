// mcp.tools/v1: tools that the platform's MCP server offers to agents.
import { Type } from '../typebox.ts'
import { defineExtensionPoint, type ExtensionPoint, requiredFunctions } from './contract.ts'

/** Who calls a tool. The scope of every read comes from here, never from arguments. */
export interface McpViewer {
  /** `*` is the platform itself: all tenants. */
  readonly tenantId: string
  readonly role: string
  /** The person, as `<type>:<id>`. */
  readonly viewerRef?: string
}

/** Hints to a client, as MCP defines them. */
export interface McpToolAnnotations {
  /** Changes nothing. Default false. */
  readonly readOnlyHint?: boolean
  /** May remove or overwrite. Default true; means nothing for a read-only tool. */
  readonly destructiveHint?: boolean
  /** Calling it twice is as good as once. Default false. */
  readonly idempotentHint?: boolean
  /** Reaches systems outside the platform. Default true. */
  readonly openWorldHint?: boolean
}

/**
 * One tool. A server shows name, title, description, schemas and annotations, asks for the scopes, and
 * answers with what the handler returns as structured content.
 */
export interface McpTool {
  /** Unique on the platform: 1 to 128 letters, digits, `_`, `-` and `.`. */
  readonly name: string
  /** For people. */
  readonly title: string
  /** For the model: what it does, when to use it, what it answers. */
  readonly description: string
  /** JSON Schema of the arguments: a closed object. `x-mcp-header` is left out: arguments are in bodies alone. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** JSON Schema of what the handler answers: an object. Clients hold answers to it. */
  readonly outputSchema?: Readonly<Record<string, unknown>>
  readonly annotations: McpToolAnnotations
  /** An SVG image that clients show beside the title: its source text, up to 2,000 characters. Default: the platform's. */
  readonly icon?: string
  /** OAuth scopes that a token needs; a manifest declares them. */
  readonly scopes: readonly string[]
  /** Whether a person may use it; it is not listed for others. Default: everyone. */
  mayUse?(viewer: McpViewer): boolean
  /**
   * Checks the arguments itself and answers a plain object that is JSON. An error with a `status` from 400
   * to 499 is shown to the model with its message, as a tool error; any other is logged and shown without.
   */
  handler(args: unknown, viewer: McpViewer): Promise<Readonly<Record<string, unknown>>>
}

/** A contribution: the tools of one plugin. */
export type McpTools = readonly McpTool[]

const annotationsSchema = Type.Object(
  {
    readOnlyHint: Type.Optional(Type.Boolean()),
    destructiveHint: Type.Optional(Type.Boolean()),
    idempotentHint: Type.Optional(Type.Boolean()),
    openWorldHint: Type.Optional(Type.Boolean())
  },
  { additionalProperties: false }
)

/** Tools for agents. The plugin that serves MCP owns it; declare the use as optional. */
export const mcpTools: ExtensionPoint<McpTools> = defineExtensionPoint<McpTools>(
  'mcp.tools/v1',
  Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[A-Za-z0-9_.-]{1,128}$' }),
      title: Type.String({ minLength: 1 }),
      description: Type.String({ minLength: 1 }),
      inputSchema: Type.Object({ type: Type.Literal('object') }),
      outputSchema: Type.Optional(Type.Object({ type: Type.Literal('object') })),
      annotations: annotationsSchema,
      icon: Type.Optional(Type.String({ pattern: '^<svg ', maxLength: 2000 })),
      scopes: Type.Array(Type.String({ minLength: 1 })),
      ...requiredFunctions('handler')
    })
  )
)
