// Tasks on the wire: tasks/* of 2025-11-25, and of the extension that 2026-07-28 has instead.
import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type Server,
  type ServerContext
} from '@modelcontextprotocol/server'
import type { TaskRow } from '../tasks/task-row.ts'
import type { TaskRuns } from '../tasks/task-runs.ts'
import { currentTask, currentTaskWithResult, earlierTask, resultOf } from '../tasks/task-shapes.ts'
import type { ServedTool, ToolCaller, ToolResult } from './served-tool.ts'

/** The extension, as capabilities name it. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

/** Which revision a server speaks: 2026-07-28, or those before it. */
export type Era = 'modern' | 'legacy'

/** What a server declares of tasks. */
export const taskCapabilities = (era: Era) =>
  era === 'modern'
    ? { extensions: { [TASKS_EXTENSION]: {} } }
    : { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }

/** What the handlers of one request need. */
export interface TaskParts {
  readonly tasks: TaskRuns
  readonly era: Era
  readonly caller: ToolCaller
  readonly tools: ReadonlyMap<string, ServedTool>
}

interface ToolCall {
  readonly args: Readonly<Record<string, unknown>>
  /** As 2025-11-25 asks for a task. */
  readonly task: { readonly ttl?: number | undefined } | undefined
  readonly context: ServerContext
}

/** Runs a call as a task where the client can; undefined when it is to be answered at once. */
export async function startTask(
  tool: ServedTool,
  { tasks, era, caller }: TaskParts,
  { args, task, context }: ToolCall
): Promise<ToolResult | undefined> {
  const isAsked = era === 'modern' ? tool.isLong && knowsTasks(context) : task !== undefined
  if (!isAsked) return undefined
  if (!tool.isLong)
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'The tool does not run as a task.')
  const row = await tasks.start({
    actor: caller.caller.actor,
    tool: tool.listed.name,
    log: caller.log,
    ttlMs: task?.ttl,
    work: (run) => tool.run(args, caller, run),
    faultOf: (error) =>
      error instanceof ProtocolError ? { code: error.code, message: error.message } : undefined
  })
  if (row === undefined) {
    // A server of 2026-07-28 decides by itself what is a task.
    if (era === 'modern') return undefined
    throw new ProtocolError(
      ProtocolErrorCode.InvalidRequest,
      'Too many tasks are at work. Wait for one, or cancel one.'
    )
  }
  // The schema of a tool's result wants content.
  const content: ToolResult['content'] = []
  return era === 'modern'
    ? { content, resultType: 'task', ...currentTask(row) }
    : { content, task: earlierTask(row) }
}

/** Adds the methods of tasks. */
export function handleTasks(server: Server, parts: TaskParts): void {
  const { tasks, era, caller } = parts
  const found = async ({ taskId }: { readonly taskId: string }): Promise<TaskRow> => {
    const row = await tasks.find(taskId, caller.caller.actor)
    if (row === null || !(await mayRead(row, parts))) throw unknownTask()
    return row
  }
  if (era === 'modern') {
    server.setRequestHandler('tasks/get', ONE, async (params, context) => {
      needTasks(context)
      return currentTaskWithResult(await found(params))
    })
    server.setRequestHandler('tasks/cancel', ONE, async (params, context) => {
      needTasks(context)
      await tasks.cancel((await found(params))._id)
      return {}
    })
    // No tool asks for input.
    server.setRequestHandler('tasks/update', ONE, async (params, context) => {
      needTasks(context)
      await found(params)
      return {}
    })
    return
  }
  server.setRequestHandler('tasks/get', ONE, async (params) => earlierTask(await found(params)))
  server.setRequestHandler('tasks/list', NONE, async () => {
    const rows = await tasks.list(caller.caller.actor)
    const isReadable = await Promise.all(rows.map((row) => mayRead(row, parts)))
    return { tasks: rows.filter((_row, index) => isReadable[index]).map(earlierTask) }
  })
  server.setRequestHandler('tasks/cancel', ONE, async (params) => {
    const { _id } = await found(params)
    if (!(await tasks.cancel(_id))) throw isOver()
    return earlierTask(await found(params))
  })
  server.setRequestHandler('tasks/result', ONE, async (params, { mcpReq: { signal } }) => {
    const { _id } = await found(params)
    const row = await tasks.finished(_id, caller.caller.actor, signal)
    if (row === null) throw unknownTask()
    return resultOrThrow(row)
  })
}

function resultOrThrow(row: TaskRow): Record<string, unknown> {
  const { _id: taskId, state, fault, message } = row
  if (state !== 'completed')
    throw new ProtocolError(fault?.code ?? ProtocolErrorCode.InternalError, message)
  const { _meta, ...result } = resultOf(row)
  return { ...result, _meta: { ...(_meta as object), [RELATED_TASK_META_KEY]: { taskId } } }
}

/** A token that may no longer call the tool may not read what it answered. */
async function mayRead({ tool: name }: TaskRow, { tools, caller }: TaskParts): Promise<boolean> {
  const tool = tools.get(name)
  if (tool === undefined) return false
  const held = caller.access?.scopes
  if (held !== undefined && !tool.scopes.every((scope) => held.includes(scope))) return false
  return tool.isFor(caller)
}

function knowsTasks({ mcpReq: { envelope } }: ServerContext): boolean {
  const declared = (envelope as Readonly<Record<string, unknown>> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ] as { readonly extensions?: Readonly<Record<string, unknown>> } | undefined
  return declared?.extensions?.[TASKS_EXTENSION] !== undefined
}

function needTasks(context: ServerContext): void {
  if (knowsTasks(context)) return
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } }
  })
}

const unknownTask = () =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'The task is unknown or has expired.')

const isOver = () =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'The task is over and cannot be cancelled.')

/** Parameters as the SDK checks those of methods that it has no schema for. */
interface ParamsSchema<Params> {
  readonly params: {
    readonly '~standard': {
      readonly version: 1
      readonly vendor: string
      readonly types?: { readonly input: unknown; readonly output: Params }
      validate(
        value: unknown
      ): { readonly value: Params } | { readonly issues: { readonly message: string }[] }
    }
  }
}

function paramsOf<Params extends object>(
  check: (value: Record<string, unknown>) => Params | string
): ParamsSchema<Params> {
  const validate = (value: unknown) => {
    const checked = check(value as Record<string, unknown>)
    return typeof checked === 'string' ? { issues: [{ message: checked }] } : { value: checked }
  }
  return { params: { '~standard': { version: 1, vendor: 'keelson', validate } } }
}

const ONE = paramsOf(({ taskId }) =>
  typeof taskId === 'string' && taskId.length <= 100 ? { taskId } : 'taskId must be a string'
)
/** All tasks of a caller are one page. */
const NONE = paramsOf(({ cursor }) => (cursor === undefined ? {} : 'cursor is unknown'))
