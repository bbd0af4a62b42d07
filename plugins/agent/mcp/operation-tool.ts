// Operations of the agent API as tools: path, query and body of the route become flat arguments.
import {
  type Actor,
  callOperation,
  type Operation,
  type Refused,
  sizeFault,
  type Viewer
} from '@keelson/sdk'
import type { AgentHost } from '../agent-host.ts'
import { type ErrorAnswer, errorAnswer, withDocs } from '../answers/error-answer.ts'
import type { ErrorDocs } from '../answers/error-docs.ts'
import { faultAnswer } from '../answers/fault-answer.ts'
import { type RefusalCode, refusals } from '../answers/refusals.ts'
import { callRefusal, factsOf, mayEverCall } from '../boundary/judge-call.ts'
import { TEST_CONTACTS_ONLY } from '../boundary/test-contacts-only.ts'
import { KEY_PATTERN } from '../idempotency/decide-replay.ts'
import type { KeptAnswers } from '../idempotency/kept-answers.ts'
import { invalid } from '../operations/invalid.ts'
import { AGENT_SCOPES } from '../tokens/reach.ts'
import { actorOfCaller } from '../tokens/verify-callers.ts'
import { ARGUMENT_TEXTS } from './argument-texts.ts'
import { MAIL_ICON } from './icons.ts'
import { runKeyed, type Shown } from './keyed-run.ts'
import {
  failed,
  type ObjectSchema,
  type ServedTool,
  structured,
  type ToolCaller,
  type ToolResult,
  type ToolRun
} from './served-tool.ts'

/** What the tools of operations need. */
export interface OperationTools {
  readonly host: AgentHost
  readonly closing: AbortSignal
  /** Refusals have the address of their documentation. */
  readonly docs: ErrorDocs
  /** Of calls with an idempotencyKey; undefined without a database for them. */
  readonly answers: KeptAnswers
  /** Whether a person may use the operations: an administrator of the mailer. */
  mayUse(viewer: Viewer): boolean
}

type AgentOperation = Operation<AgentHost>
type Arguments = Readonly<Record<string, unknown>>

interface Fields {
  readonly properties?: Arguments
  readonly required?: readonly string[]
}

/** Lists of tools are short unless more is asked for. */
const SHORT_LIST = 20

/** The tool of an operation. */
export function operationTool(operation: AgentOperation, tools: OperationTools): ServedTool {
  const { id, tool: name = id, summary, access, hints = {} } = operation
  const note = TEST_CONTACTS_ONLY.has(id) ? ' Only for test contacts.' : ''
  const isRead = isReading(operation)
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
      },
      icons: [MAIL_ICON],
      ...(hints.long === true && { execution: { taskSupport: 'optional' } })
    },
    // A client may ask for what a challenge names alone: with mail:write it must still be able to read.
    scopes: isRead ? (access.scopes ?? []) : AGENT_SCOPES,
    isFor: (caller) => isFor(caller, operation, tools),
    needsPerson: false,
    isLong: hints.long === true,
    run: (args, caller, run) => runTool(operation, tools, { known, args, caller, run })
  }
}

/** A person gets scopes that are missing by step-up; a token stays as it is. */
async function isFor(
  { caller, access, viewer }: ToolCaller,
  operation: AgentOperation,
  { mayUse }: OperationTools
): Promise<boolean> {
  if (access === undefined) return mayEverCall(caller, operation)
  const person = await viewer()
  return person !== null && mayUse(person)
}

const isReading = ({ effect }: AgentOperation): boolean => effect === 'read'

interface Run {
  /** The arguments that the tool has. */
  readonly known: object
  readonly args: Arguments
  readonly caller: ToolCaller
  readonly run: ToolRun
}

async function runTool(
  operation: AgentOperation,
  tools: OperationTools,
  { known, args: sent, caller, run }: Run
): Promise<ToolResult> {
  const { docs, answers, mayUse, host } = tools
  const refuse = (refused: Refused<RefusalCode>) => shownError(errorAnswer(refused, docs))
  const person = caller.access === undefined ? undefined : await caller.viewer()
  if (person !== undefined && (person === null || !mayUse(person)))
    return refuse(refusals.refuse('person_not_allowed'))
  const unknown = Object.keys(sent).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) return refuse(invalid(unknown, 'is unknown'))
  const fault = sizeFault(sent)
  if (fault !== undefined) return refuse(invalid('arguments', fault.message))
  const { idempotencyKey: key, ...args } = sent
  const parts = partsOf(operation, args)
  const call = { ...factsOf(operation), path: addressOf(operation, parts.params), body: parts.body }
  const word = callRefusal(caller.caller, { ...call, owner: 'agent' }, host.boundary)
  if (word !== undefined) return refuse(refusals.refuse(word))
  const actor = actorOf(caller, person)
  const work = (callKey?: string) =>
    carryOut(operation, tools, { parts, actor, caller, run, callKey })
  if (key === undefined) return (await work()).result
  const keyed = { key, actor: actor.name, args, log: caller.log, work, refuse }
  return runKeyed(answers, operation, keyed)
}

interface Work {
  readonly parts: ReturnType<typeof partsOf>
  readonly actor: Actor
  readonly caller: ToolCaller
  readonly run: ToolRun
  readonly callKey: string | undefined
}

/** Faults of the caller are refusals; everything else is one refusal, and a line of the log. */
async function carryOut(
  operation: AgentOperation,
  { host, closing, docs }: OperationTools,
  { parts, actor, caller: { log }, run, callKey }: Work
): Promise<Shown> {
  try {
    const outcome = await callOperation({ operation, host }, parts, {
      actor,
      log,
      callKey,
      signal: AbortSignal.any([closing, run.signal]),
      may: () => true,
      ifRevision: undefined,
      progress: run.progress ?? (() => undefined)
    })
    const { status, body } = outcome
    if (!outcome.ok)
      return { status, result: shownError({ status, body: withDocs(body, docs) as object }) }
    return { status, result: shown(body, outcome.facts.nextCursor) }
  } catch (error) {
    const answer = faultAnswer(error, log, docs)
    return { status: answer.status, result: shownError(answer) }
  }
}

const shownError = ({ body }: ErrorAnswer): ToolResult => failed(JSON.stringify(body))

function shown(body: unknown, nextCursor: string | undefined): ToolResult {
  if (!Array.isArray(body)) return structured(body as object)
  return structured({ items: body, ...(nextCursor !== undefined && { nextCursor }) })
}

/** The person behind an access token is the actor, and the client is in the name. */
export function actorOf(
  { caller, ip, requestId }: ToolCaller,
  person: Viewer | null | undefined
): Actor {
  const origin = { ip, requestId }
  if (person === undefined || person === null) return { ...actorOfCaller(caller), ...origin }
  const { tenantId, role, viewerRef } = person
  return {
    tenantId,
    role,
    name: caller.actor,
    via: 'token',
    ...(viewerRef !== undefined && { viewerRef }),
    ...origin
  }
}

/** Flat arguments as the parts of a call; they are checked with the schemas of the operation. */
export function partsOf({ params, query, body }: AgentOperation, args: Arguments) {
  const [inPath, inQuery] = [params, query].map(
    (schema) => new Set(Object.keys(fieldsOf(schema).properties ?? {}))
  ) as [Set<string>, Set<string>]
  const parts = {
    params: {} as Record<string, unknown>,
    query: (inQuery.has('limit') ? { limit: SHORT_LIST } : {}) as Record<string, unknown>,
    body: {} as Record<string, unknown>
  }
  for (const [name, value] of Object.entries(args)) {
    const part = inPath.has(name) ? 'params' : inQuery.has(name) ? 'query' : 'body'
    parts[part][name] = value
  }
  return { ...parts, body: body === undefined ? undefined : parts.body }
}

/** The address of a call below the mount. */
const addressOf = ({ path }: AgentOperation, params: Arguments): string =>
  path.replace(/:([A-Za-z]+)/g, (_slot, name: string) => encodeURIComponent(String(params[name])))

const fieldsOf = (schema: unknown): Fields => (schema ?? {}) as Fields

const keySchema = {
  type: 'string',
  pattern: KEY_PATTERN,
  description: 'The same key and arguments get the same result for 24 hours, and act once.'
}

/** One closed object. */
export function inputOf(operation: AgentOperation): ObjectSchema {
  const { params, query, body } = operation
  const parts = [params, query, body].map(fieldsOf)
  return {
    type: 'object',
    properties: Object.assign(
      {},
      ...parts.map(({ properties = {} }) => described(properties)),
      isReading(operation) ? {} : { idempotencyKey: keySchema }
    ),
    required: parts.flatMap(({ required = [] }) => required),
    additionalProperties: false
  }
}

const described = (properties: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      { description: ARGUMENT_TEXTS[name], ...(schema as object) }
    ])
  )

function outputOf({ answer }: AgentOperation): ObjectSchema {
  if ((answer as { readonly type?: string }).type !== 'array')
    return answer as unknown as ObjectSchema
  return {
    type: 'object',
    properties: { items: answer, nextCursor: { type: 'string' } },
    required: ['items']
  }
}

const titleOf = (name: string) => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
