// A tool as the MCP server lists and calls it: an operation of the agent API, or one that a plugin contributes.
import type { Viewer } from '@keelson/sdk'
import type { McpToolAnnotations } from '@keelson/sdk/contracts/mcp-tools'
import type { FastifyBaseLogger } from 'fastify'
import type { Caller } from '../tokens/token-register.ts'
import type { ListedIcon } from './icons.ts'

/** Who calls a tool: an agent token, or an access token of a person. */
export interface ToolCaller {
  /** As operations of the agent API know the caller. */
  readonly caller: Caller
  /** The OAuth client and the person; undefined for an agent token. */
  readonly access?: {
    readonly userId: string
    readonly clientId: string
    readonly scopes: readonly string[]
  }
  /** The origin that the request came to. */
  readonly origin: string
  /** The person as the sign-in plugin knows them now; null for one who is gone, and for an agent token. */
  viewer(): Promise<Viewer | null>
  readonly ip: string
  readonly requestId: string
  readonly log: FastifyBaseLogger
}

/** What a call may say while it runs, and when it should end. */
export interface ToolRun {
  readonly signal: AbortSignal
  progress?(done: number, total: number, message: string): void
}

/** What a tool answers. */
export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
  readonly [field: string]: unknown
}

/** The schema of an object. */
export interface ObjectSchema {
  readonly type: 'object'
  readonly [key: string]: unknown
}

/** A tool. */
export interface ServedTool {
  readonly listed: {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly inputSchema: ObjectSchema
    readonly outputSchema?: ObjectSchema
    readonly annotations: McpToolAnnotations
    readonly icons?: ListedIcon[]
    /** 2025-11-25: the tool may run as a task. */
    readonly execution?: { readonly taskSupport: 'optional' }
    readonly _meta?: { readonly ui: Readonly<Record<string, unknown>> }
  }
  /** Scopes that an access token needs. */
  readonly scopes: readonly string[]
  /** Whether a caller could use it, now or by step-up: what others see of it is that it is unknown or refused. */
  isFor(caller: ToolCaller): boolean | Promise<boolean>
  /** It acts for a person: to an agent token it is unknown. */
  readonly needsPerson: boolean
  /** It may take seconds. */
  readonly isLong: boolean
  run(
    args: Readonly<Record<string, unknown>>,
    caller: ToolCaller,
    run: ToolRun
  ): Promise<ToolResult>
}

/** Tools by name. */
export type Tools = ReadonlyMap<string, ServedTool>

/** A result that programs can read too. */
export function structured(value: object): ToolResult {
  const json = JSON.stringify(value)
  return { content: [{ type: 'text', text: json }], structuredContent: JSON.parse(json) }
}

/** A refusal. It has no structured content, which would have to fit the output schema of the tool. */
export const failed = (text: string): ToolResult => ({
  content: [{ type: 'text', text }],
  isError: true
})
