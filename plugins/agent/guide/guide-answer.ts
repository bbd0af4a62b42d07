// What the guide page needs to know of this host: addresses, scopes and tools.
import { type Static, Type, type Viewer } from '@keelson/sdk'
import type { McpTool } from '@keelson/sdk/contracts/mcp-tools'
import { agentOperations } from '../operations/all-operations.ts'
import { AGENT_SCOPES } from '../tokens/reach.ts'

const needsPerson = Type.Boolean({ description: 'Agent tokens do not have it.' })
const tool = Type.Object({ name: Type.String(), summary: Type.String(), needsPerson })

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
      needsPerson,
      tools: Type.Array(tool)
    })
  )
})

/** The answer of `GET /guide`. */
export type Guide = Static<typeof guideSchema>

/** The parts that are the same for every viewer. */
export type GuideParts = Omit<Guide, 'mayUseMail' | 'scopes'>

/** Tools by the scope that they need, each scope once, those of the mailer first. */
export function scopesOf(contributed: readonly McpTool[]): Guide['scopes'] {
  const own = agentOperations.map(({ tool: name = '', summary, access }) => ({
    tool: { name, summary, needsPerson: false },
    scopes: access.scopes ?? []
  }))
  const others = contributed.map(({ name, title, scopes }) => ({
    tool: { name, summary: title, needsPerson: true },
    scopes
  }))
  const all = [...own, ...others]
  const ids = new Set([...AGENT_SCOPES, ...all.flatMap(({ scopes }) => scopes)])
  return [...ids].map((id) => {
    const tools = all.filter(({ scopes }) => scopes.includes(id)).map(({ tool }) => tool)
    return { id, needsPerson: tools.every((one) => one.needsPerson), tools }
  })
}

/** The guide for one viewer. */
export const guideFor = (
  parts: GuideParts & Pick<Guide, 'scopes'>,
  viewer: Viewer | null,
  mayUse: (viewer: Viewer) => boolean
): Guide => ({ ...parts, mayUseMail: viewer !== null && mayUse(viewer) })
