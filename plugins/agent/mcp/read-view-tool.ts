// read_view: what the page of a view reads. It calls operations that read, as the person of the token.
import { type Actor, type BoundOperation, callOperation, operationMatcher } from '@keelson/sdk'
import type { McpView, McpViews } from '@keelson/sdk/contracts/mcp-views'
import type { AgentHost } from '../agent-host.ts'
import { callRefusal, factsOf } from '../boundary/judge-call.ts'
import { actorOfCaller } from '../tokens/verify-callers.ts'
import { PLATFORM_ICON } from './icons.ts'
import { failed, type ServedTool, structured, type ToolCaller } from './served-tool.ts'

/** Its name. */
export const READ_VIEW = 'read_view'

/** The tool. Views alone call it: clients that know MCP Apps do not show it to the model. */
export function readViewTool(
  views: McpViews,
  { host, closing }: { readonly host: AgentHost; readonly closing: AbortSignal }
): ServedTool {
  const served = new Map(
    views.map((view) => [view.name, { view, match: operationMatcher(view.operations, view.mount) }])
  )
  return {
    listed: {
      name: READ_VIEW,
      title: 'Read for a view',
      description:
        'What the page of a view reads. For views; it answers nothing that other tools do not.',
      inputSchema: {
        type: 'object',
        properties: {
          view: { type: 'string', description: 'Name of the view.' },
          method: { type: 'string', description: 'As the page calls its API.' },
          path: { type: 'string', maxLength: 4000, description: 'With its query.' },
          body: { type: 'object', description: 'What the page sends.' }
        },
        required: ['view', 'method', 'path'],
        additionalProperties: false
      },
      outputSchema: {
        type: 'object',
        properties: {
          status: { type: 'integer', description: 'As the API of the page answers.' },
          body: { description: 'What it answers.' },
          nextCursor: { type: 'string', description: 'Of the next page of a list.' }
        },
        required: ['status'],
        additionalProperties: false
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      icons: [PLATFORM_ICON],
      _meta: { ui: { visibility: ['app'] } }
    },
    scopes: [],
    isFor: () => true,
    needsPerson: false,
    isLong: false,
    async run(args, caller, { signal }) {
      const called = served.get(String(args['view']))
      if (called === undefined) return failed('The view is unknown.')
      const { view, match } = called
      const actor = await actorOf(view, caller)
      if (actor === undefined) return answer(403, { error: 'forbidden' })
      const [path = '', search = ''] = String(args['path']).split('?', 2)
      const found = match(String(args['method']), path)
      if (found === undefined) return answer(404, { error: 'not_found' })
      const { bound, params } = found
      if (bound.operation.effect !== 'read') return answer(403, CHANGES_NOTHING)
      if (isClosed(bound.operation, path, caller, host)) return answer(403, { error: 'forbidden' })
      const query = Object.fromEntries(new URLSearchParams(search))
      const outcome = await callOperation(
        bound,
        { params, query, body: args['body'] },
        {
          actor,
          log: caller.log,
          signal: AbortSignal.any([closing, signal]),
          may: () => actor.role === 'admin'
        }
      )
      return answer(outcome.status, outcome.body, outcome.ok ? outcome.facts.nextCursor : undefined)
    }
  }
}

/** To an agent token, as it is by the admin API in the name of a token. */
function isClosed(
  operation: BoundOperation['operation'],
  path: string,
  { access, caller }: ToolCaller,
  { boundary }: AgentHost
): boolean {
  if (access !== undefined) return false
  const owner = operation.id.startsWith('mailer.') ? 'mailer' : 'other'
  return callRefusal(caller, { ...factsOf(operation), owner, path }, boundary) !== undefined
}

const CHANGES_NOTHING = {
  error: 'view_reads_only',
  message: 'This page changes nothing here. Ask the assistant, or open the page on the platform.'
}

const answer = (status: number, body: unknown, nextCursor?: string) =>
  structured({ status, body, ...(nextCursor !== undefined && { nextCursor }) })

/** Undefined for a caller that may not read the view. */
async function actorOf(
  { scopes, mayRead }: McpView,
  { caller, access, viewer, ip, requestId }: ToolCaller
): Promise<Actor | undefined> {
  const held: readonly string[] = access?.scopes ?? caller.scopes
  if (!scopes.every((scope) => held.includes(scope))) return undefined
  // A token with an allow list of addresses has none of the admin API.
  if (access === undefined)
    return caller.routes === undefined ? { ...actorOfCaller(caller), ip, requestId } : undefined
  const person = await viewer()
  if (person === null || !mayRead(person)) return undefined
  const { tenantId, role, viewerRef } = person
  return {
    tenantId,
    role,
    ip,
    requestId,
    name: caller.actor,
    via: 'token',
    ...(viewerRef !== undefined && { viewerRef })
  }
}
