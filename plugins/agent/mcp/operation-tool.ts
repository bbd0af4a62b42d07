// Operations of the agent API as tools: path, query and body of the route become flat arguments.
import type { Viewer } from '@keelson/sdk'
import { errorAnswer } from '../answers/error-answer.ts'
import { refused } from '../answers/refusal.ts'
import {
  type AgentContext,
  invalid,
  type Operation,
  paramSchema,
  paramsOf
} from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'
import { AGENT_SCOPES } from '../tokens/token-register.ts'
import { failed, type ObjectSchema, type ServedTool, structured } from './served-tool.ts'

/** What the tools of operations need. */
export interface OperationTools {
  readonly agent: AgentContext
  /** Where the routes are, for the links of refusals. */
  readonly mount: string
  /** Whether a person may use the operations: an administrator of the mailer. */
  mayUse(viewer: Viewer): boolean
}

interface Fields {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

/** Lists of tools are short unless more is asked for. */
const SHORT_LIST = 20

/** The tool of an operation. */
export function operationTool(operation: Operation, tools: OperationTools): ServedTool {
  const { tool: name, summary, scope, hints = {}, testContactsOnly } = operation
  const note = testContactsOnly === true ? ' Only for test contacts.' : ''
  const isRead = scope === 'mail:read'
  const inputSchema = inputOf(operation)
  const known = inputSchema['properties'] as object
  return {
    listed: {
      name,
      title: titleOf(name),
      description: `${summary}.${note}`,
      inputSchema,
      outputSchema: outputOf(operation),
      annotations: {
        readOnlyHint: isRead,
        destructiveHint: hints.destructive === true,
        idempotentHint: isRead || hints.idempotent === true,
        openWorldHint: hints.mails === true
      }
    },
    // A client may ask for what a challenge names alone: with mail:write it must still be able to read.
    scopes: isRead ? [scope] : AGENT_SCOPES,
    needsPerson: false,
    isLong: operation.isLong === true,
    run: (args, caller, run) => runOperation(operation, tools, { known, args, caller, run })
  }
}

interface Run {
  /** The arguments that the tool has. */
  readonly known: object
  readonly args: Readonly<Record<string, unknown>>
  readonly caller: Parameters<ServedTool['run']>[1]
  readonly run: Parameters<ServedTool['run']>[2]
}

async function runOperation(
  operation: Operation,
  { agent, mount, mayUse }: OperationTools,
  { known, args, caller: { caller, access, viewer, ip, requestId, log }, run }: Run
) {
  const refuse = (refusal: Parameters<typeof errorAnswer>[0]) =>
    failed(JSON.stringify(errorAnswer(refusal, mount)))
  if (access !== undefined) {
    const person = await viewer()
    if (person === null || !mayUse(person)) return refuse(refused('person_not_allowed'))
  }
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) return refuse(invalid(unknown, 'is unknown'))
  const { progress, signal } = run
  const result = await perform(
    operation,
    {
      agent: { ...agent, signal: AbortSignal.any([agent.signal, signal]) },
      caller,
      acting: { actor: caller.actor, ip, requestId },
      ...partsOf(operation, args),
      ...(progress !== undefined && { progress })
    },
    log
  )
  if (!result.ok) return refuse(result)
  const { body, nextCursor } = result
  if (!Array.isArray(body)) return structured(body as object)
  return structured({ items: body, ...(nextCursor !== undefined && { nextCursor }) })
}

/** Flat arguments as the parts of a call; they are checked with the schemas of the operation. */
export function partsOf(operation: Operation, args: Readonly<Record<string, unknown>>) {
  const inPath = new Set(paramsOf(operation.path))
  const inQuery = new Set(Object.keys(fieldsOf(operation.query).properties ?? {}))
  const params: Record<string, unknown> = {}
  const query: Record<string, unknown> = inQuery.has('limit') ? { limit: SHORT_LIST } : {}
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args)) {
    const part = inPath.has(name) ? params : inQuery.has(name) ? query : body
    part[name] = value
  }
  return { params: params as Record<string, string>, query, body }
}

const fieldsOf = (schema: unknown): Fields => (schema ?? {}) as Fields

/** One closed object. */
export function inputOf({ path, query, body }: Operation): ObjectSchema {
  const params = paramsOf(path)
  const parts = [fieldsOf(query), fieldsOf(body)]
  return {
    type: 'object',
    properties: Object.assign(
      Object.fromEntries(params.map((name) => [name, paramSchema])),
      ...parts.map(({ properties = {} }) => properties)
    ),
    required: [...params, ...parts.flatMap(({ required = [] }) => required)],
    additionalProperties: false
  }
}

function outputOf({ output }: Operation): ObjectSchema {
  if ((output as { readonly type?: string }).type !== 'array')
    return output as unknown as ObjectSchema
  return {
    type: 'object',
    properties: { items: output, nextCursor: { type: 'string' } },
    required: ['items']
  }
}

const titleOf = (name: string) => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
