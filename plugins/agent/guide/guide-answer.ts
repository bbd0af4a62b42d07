// What the guide page needs to know of this host: addresses, scopes and tools.
import { type Static, Type, type Viewer } from '@keelson/sdk'
import type { McpTool } from '@keelson/sdk/contracts/mcp-tools'
import { agentOperations } from '../operations/all-operations.ts'

const tool = Type.Object({ name: Type.String(), summary: Type.String() })

/** The answer of `GET /guide`. */
export const guideSchema = Type.Object({
  mcpPath: Type.String({ description: 'Of the MCP endpoint, with the prefix of the platform.' }),
  apiPath: Type.String({ description: 'Of the agent API.' }),
  publicUrl: Type.Union([Type.String(), Type.Null()]),
  hasSignIn: Type.Boolean({ description: 'Whether access tokens of people are taken.' }),
  hasTestContacts: Type.Boolean(),
  mayUseMail: Type.Boolean({
    description: 'Whether the viewer may let assistants use the mailer.'
  }),
  scopes: Type.Array(
    Type.Object({
      id: Type.String(),
      needsPerson: Type.Boolean({ description: 'Tools that agent tokens do not have.' }),
      tools: Type.Array(tool)
    })
  )
})

/** The answer of `GET /guide`. */
export type Guide = Static<typeof guideSchema>

/** The parts that are the same for every viewer. */
export type GuideParts = Omit<Guide, 'mayUseMail' | 'scopes'>

/** Tools by the scope that they need, those of the mailer first. */
export function scopesOf(contributed: readonly McpTool[]): Guide['scopes'] {
  const own = (['mail:read', 'mail:write'] as const).map((id) => ({
    id,
    needsPerson: false,
    tools: agentOperations
      .filter(({ access }) => access.scopes?.includes(id))
      .map(({ tool: name = '', summary }) => ({ name, summary }))
  }))
  const ids = new Set(contributed.flatMap(({ scopes }) => scopes))
  const others = [...ids].map((id) => ({
    id,
    needsPerson: true,
    tools: contributed
      .filter(({ scopes }) => scopes.includes(id))
      .map(({ name, title }) => ({ name, summary: title }))
  }))
  return [...own, ...others]
}

/** The guide for one viewer. */
export const guideFor = (
  parts: GuideParts & Pick<Guide, 'scopes'>,
  viewer: Viewer | null,
  mayUse: (viewer: Viewer) => boolean
): Guide => ({ ...parts, mayUseMail: viewer !== null && mayUse(viewer) })
