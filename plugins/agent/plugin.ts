// The kernel plugin: the same parts as createAgent, at the mount and at /mcp.
import { mailerTokenCheck } from '@keelson/mailer/contracts'
import { definePlugin, type Host, type Viewer } from '@keelson/sdk'
import { mcpTools } from '@keelson/sdk/contracts/mcp-tools'
import { mcpViews } from '@keelson/sdk/contracts/mcp-views'
import { oauthPeople } from '@keelson/sdk/contracts/oauth-people'
import { oauthProtect } from '@keelson/sdk/contracts/oauth-protect'
import { createAgentParts, seamsOf } from './agent-parts.ts'
import { testContactsPattern } from './boundary/test-contacts.ts'
import { type PluginConfig, pluginConfig } from './config.ts'
import { type Guide, guideFor, guideSchema, scopesOf } from './guide/guide-answer.ts'
import { createMcpRoutes, type McpPeople } from './mcp/mcp-routes.ts'
import { declaredOperations } from './operations/all-operations.ts'
import { tokenOperations } from './operations/token-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import { createRouter } from './routes/router.ts'

function register(
  host: Host,
  {
    tokens,
    testContacts,
    adminTenants = [],
    origins = [],
    firstScopes = 'reading',
    peopleOrigins = 'clients'
  }: PluginConfig
): void {
  const options = {
    tokens: tokens?.map(({ expiresAt, ...token }) => ({
      ...token,
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) })
    })),
    testContacts: testContactsPattern(testContacts),
    adminTenants: new Set(['*', ...adminTenants])
  }
  const parts = createAgentParts(options, seamsOf(host))
  host.extend(mailerTokenCheck, { mayAct: parts.tokens.mayAct })
  host.serve(tokenOperations, parts.tokenHost)
  const agentMount = host.mount
  const people = peopleOf(host, options.adminTenants)
  serveGuide(host, { hasTestContacts: Boolean(testContacts), mayUse: people.mayUse })
  // Routes and tools that other plugins contribute are there when all have registered.
  host.onRegistered(async (app) => {
    const tools = () => host.contributions(mcpTools).flat()
    await app.register(createRouter(parts, { isGuarded: true }), { prefix: agentMount })
    const mcp = createMcpRoutes(parts, {
      people,
      tools,
      agentMount,
      origins: [...origins, host.publicUrl ?? ''],
      firstScopes,
      peopleOrigins:
        typeof peopleOrigins === 'string'
          ? peopleOrigins
          : [...peopleOrigins, host.publicUrl ?? ''],
      views: {
        contributed: () => host.contributions(mcpViews).flat(),
        prefix: host.prefix,
        ...(host.publicUrl !== undefined && { publicOrigin: new URL(host.publicUrl).origin })
      },
      isGuarded: true
    })
    await app.register(mcp, { prefix: `${host.prefix}/mcp` })
  })
}

/** What the page that connects an assistant shows; made when every plugin has contributed its tools. */
function serveGuide(
  host: Host,
  { hasTestContacts, mayUse }: { hasTestContacts: boolean; mayUse: McpPeople['mayUse'] }
): void {
  let scopes: Guide['scopes'] = []
  host.onReady(() => {
    scopes = scopesOf(host.contributions(mcpTools).flat())
  })
  const parts = {
    mcpPath: `${host.prefix}/mcp`,
    apiPath: host.mount,
    publicUrl: host.publicUrl ?? null,
    hasTestContacts
  }
  host.route({
    method: 'GET',
    path: '/guide',
    schema: { response: { 200: guideSchema } },
    handler: async (_request, _reply, { viewer }) => {
      const hasSignIn = host.use(oauthProtect, { optional: true }) !== undefined
      return guideFor({ ...parts, hasSignIn, scopes }, viewer, mayUse)
    }
  })
}

/** People can connect, and no tool of these scopes will ever answer them. */
function reportMissing(host: Host, missing: readonly string[]): void {
  const path = `${host.prefix}/mcp`
  const reason = `oauth.resources[${path}].scopes lacks ${missing.join(', ')}: people cannot use the tools that need them.`
  host.log.warn({ missing }, `agent: ${reason}`)
  host.health('scopes', () => ({ state: 'degraded', reason }))
}

/** Administrators of these tenants may use the mailer, as in its pages. */
function peopleOf(host: Host, tenants: ReadonlySet<string>): McpPeople {
  return {
    protect(scopesOf, challengeScopes) {
      const protect = host.use(oauthProtect, { optional: true })
      const path = `${host.prefix}/mcp`
      const protection = protect?.([], { path, scopesOf, challengeScopes })
      const missing = protection?.missingScopes ?? []
      if (missing.length > 0) reportMissing(host, missing)
      return protection
    },
    viewerOf: async (userId) =>
      (await host.use(oauthPeople, { optional: true })?.viewerOf(userId)) ?? null,
    mayUse: ({ role, tenantId }: Viewer) => role === 'admin' && tenants.has(tenantId)
  }
}

export default definePlugin({
  manifest,
  config: pluginConfig,
  operations: declaredOperations,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
