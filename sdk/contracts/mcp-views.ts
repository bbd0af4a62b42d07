// mcp.views/v1: pages that an assistant shows beside what a tool answered (MCP Apps, `io.modelcontextprotocol/ui`).
import type { BoundOperation } from '../operation/operation.ts'
import { Type } from '../typebox.ts'
import { defineExtensionPoint, type ExtensionPoint, requiredFunctions } from './contract.ts'
import type { McpViewer } from './mcp-tools.ts'

/**
 * A page as the view of tools. The assistant shows the embedded page, which is the same as in other admin UIs. It
 * has no cookie: what it reads, the assistant asks for with the token of the person, and it changes nothing.
 */
export interface McpView {
  /** Kebab-case, unique on the platform: `mailer-template`. */
  readonly name: string
  /** For people. */
  readonly title: string
  /** Names of tools whose answers it shows. A tool has one view: the first. */
  readonly tools: readonly string[]
  /** The custom element of the page. */
  readonly element: string
  /** The address of its embed, without prefix: `/embed/mailer/template.js`. */
  readonly module: string
  /** The mount of its plugin, without prefix: what its own API is below. */
  readonly mount: string
  /** The address of the page, without prefix: `/admin/mailer/template`. */
  readonly path: string
  /** The argument whose value comes after the path: of `/admin/mailer/template/welcome` that is `slug`. */
  readonly sub?: string
  /** Parameters of the page by the argument that each is taken from: `{ contactId: 'contact' }`. */
  readonly params?: Readonly<Record<string, string>>
  /** OAuth scopes that a token needs for what the page reads. */
  readonly scopes: readonly string[]
  /** What the page may call. Those with an effect other than `read` are refused. */
  readonly operations: readonly BoundOperation[]
  /** Whether a person may read it. */
  mayRead(viewer: McpViewer): boolean
}

/** A contribution: the views of one plugin. */
export type McpViews = readonly McpView[]

const address = Type.String({ pattern: '^/' })

/** Views of tools. The plugin that serves MCP owns it; declare the use as optional. */
export const mcpViews: ExtensionPoint<McpViews> = defineExtensionPoint<McpViews>(
  'mcp.views/v1',
  Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 128 }),
      title: Type.String({ minLength: 1 }),
      tools: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
      element: Type.String({ pattern: '^[a-z][a-z0-9]*-[a-z0-9-]+$' }),
      module: address,
      mount: Type.String(),
      path: address,
      sub: Type.Optional(Type.String({ minLength: 1 })),
      params: Type.Optional(Type.Record(Type.String(), Type.String())),
      scopes: Type.Array(Type.String({ minLength: 1 })),
      operations: Type.Array(
        Type.Object({ operation: Type.Object({ id: Type.String(), ...requiredFunctions('run') }) })
      ),
      ...requiredFunctions('mayRead')
    })
  )
)
