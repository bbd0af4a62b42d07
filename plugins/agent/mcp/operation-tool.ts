// Operations of the agent API as tools: path, query and body of the route become flat arguments.
import type { Viewer } from '@keelson/sdk'
import { errorAnswer } from '../answers/error-answer.ts'
import { type Refusal, refused } from '../answers/refusal.ts'
import { KEY_PATTERN } from '../idempotency/decide-replay.ts'
import type { KeptAnswers } from '../idempotency/kept-answers.ts'
import {
  type AgentContext,
  invalid,
  type Operation,
  type OperationAnswer,
  paramSchema,
  paramsOf
} from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'
import { AGENT_SCOPES } from '../tokens/token-register.ts'
import { runKeyed, type Shown } from './keyed-run.ts'
import {
  failed,
  type ObjectSchema,
  type ServedTool,
  structured,
  type ToolResult
} from './served-tool.ts'

/** What the tools of operations need. */
export interface OperationTools {
  readonly agent: AgentContext
  /** Where the routes are, for the links of refusals. */
  readonly mount: string
  /** Of calls with an idempotencyKey; undefined without a database for them. */
  readonly answers: KeptAnswers | undefined
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
  { agent, mount, answers, mayUse }: OperationTools,
  { known, args: sent, caller: { caller, access, viewer, ip, requestId, log }, run }: Run
): Promise<ToolResult> {
  const refuse = (refusal: Refusal) => failed(JSON.stringify(errorAnswer(refusal, mount)))
  if (access !== undefined) {
    const person = await viewer()
    if (person === null || !mayUse(person)) return refuse(refused('person_not_allowed'))
  }
  const unknown = Object.keys(sent).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) return refuse(invalid(unknown, 'is unknown'))
  const { idempotencyKey: key, ...args } = sent
  const { progress, signal } = run
  const work = async (callKey?: string): Promise<Shown> => {
    const call = {
      agent: { ...agent, signal: AbortSignal.any([agent.signal, signal]) },
      caller,
      acting: { actor: caller.actor, ip, requestId },
      ...partsOf(operation, args),
      ...(progress !== undefined && { progress }),
      ...(callKey !== undefined && { callKey })
    }
    const outcome = await perform(operation, call, log)
    return { outcome, result: outcome.ok ? shown(outcome) : refuse(outcome) }
  }
  if (key === undefined) return (await work()).result
  const keyed = { key, actor: caller.actor, args, log, work, refuse }
  return runKeyed(answers, operation, keyed)
}

function shown({ body, nextCursor }: OperationAnswer): ToolResult {
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

const keySchema = {
  type: 'string',
  pattern: KEY_PATTERN,
  description: 'The same key and arguments get the same result for 24 hours, and act once.'
}

/** One closed object. */
export function inputOf({ path, query, body, scope }: Operation): ObjectSchema {
  const params = paramsOf(path)
  const parts = [fieldsOf(query), fieldsOf(body)]
  return {
    type: 'object',
    properties: Object.assign(
      Object.fromEntries(params.map((name) => [name, paramSchema])),
      ...parts.map(({ properties = {} }) => properties),
      scope === 'mail:write' ? { idempotencyKey: keySchema } : {}
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
