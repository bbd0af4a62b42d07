// Long tools as tasks: in the form of 2025-11-25, and by the extension of 2026-07-28.
import { type Test, test } from 'tap'
import type { TaskRow } from '../tasks/task-row.ts'
import { type AgentApp, agentApp, receipt, TOKEN } from './agent-app.ts'
import { earlierMessage, message } from './mcp-message.ts'

const OTHER = 'another-token-of-the-tests'
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const POLLS = 200

type Headers = Readonly<Record<string, string>>
const ofOther: Headers = { authorization: `Bearer ${OTHER}` }

/** An app with a send that is never clicked, and what asks it in both forms. */
async function tasksApp(t: Test) {
  const app = await agentApp(t, {
    tokens: [
      { token: TOKEN, actor: 'agent:test' },
      { token: OTHER, actor: 'agent:other' }
    ]
  })
  await app.call('PUT', '/templates/receipt', receipt())
  const { body } = await app.call('POST', '/templates/receipt/send', { contactId: 't1' })
  const current = async (method: string, params: object, headers: Headers = {}, knows = TASKS) =>
    (await app.app.inject(message(method, params, headers, knows))).json()
  const earlier = async (method: string, params: object = {}, headers: Headers = {}) =>
    (await app.app.inject(earlierMessage(method, params, headers))).json()
  const waitFor = (status: string, timeoutMs = 50_000) => ({
    name: 'wait_for_send',
    arguments: { id: body.sendId, status, timeoutMs }
  })
  return { ...app, current, earlier, waitFor, tasks: app.db.collection<TaskRow>('agent_tasks') }
}

/** Asks until the answer is of another status than `working`. */
async function whenOver(ask: () => Promise<{ result: { status: string } }>) {
  for (let poll = 0; poll < POLLS; poll++) {
    const answer = await ask()
    if (answer.result.status !== 'working') return answer.result
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the task is still at work')
}

test('2026-07-28: a long tool is a task for clients that know the extension', async (t) => {
  const { current, waitFor } = await tasksApp(t)
  const found = await current('server/discover', {})
  t.match(found.result.capabilities, TASKS)
  t.notOk(found.result.capabilities.tasks)
  const begun = await current('tools/call', waitFor('sent'))
  const { taskId } = begun.result
  t.match(begun.result, { resultType: 'task', status: 'working', ttlMs: 3_600_000 })
  t.match(begun.result, { pollIntervalMs: 1000, createdAt: /Z$/, lastUpdatedAt: /Z$/ })
  const result = await whenOver(() => current('tasks/get', { taskId }))
  t.match(result, {
    resultType: 'complete',
    taskId,
    status: 'completed',
    result: { structuredContent: { reached: true, target: 'sent' } }
  })
  // A tool that refuses has completed its task, too.
  const refused = await current('tools/call', { name: 'wait_for_send', arguments: { id: 'none' } })
  const ended = await whenOver(() => current('tasks/get', { taskId: refused.result.taskId }))
  t.match(ended, {
    status: 'completed',
    result: { isError: true, content: [{ text: /send_not_found/ }] }
  })
})

test('2026-07-28: clients without the extension get the result, and no task', async (t) => {
  const { current, waitFor, tasks } = await tasksApp(t)
  const none = {} as typeof TASKS
  const answer = await current('tools/call', waitFor('sent'), {}, none)
  t.match(answer.result, { resultType: 'complete', structuredContent: { reached: true } })
  t.equal(await tasks.countDocuments({}), 0)
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
    const refused = await current(method, { taskId: 'x' }, {}, none)
    t.match(refused.error, { code: -32021, data: { requiredCapabilities: TASKS } }, method)
  }
  const short = await current('tools/call', { name: 'whoami', arguments: {} })
  t.match(short.result, { resultType: 'complete', structuredContent: { actor: 'agent:test' } })
})

test('2025-11-25: a call that asks for a task gets one, and its result later', async (t) => {
  const { earlier, waitFor } = await tasksApp(t)
  const { result: hello } = await earlier('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'wire', version: '1' }
  })
  t.match(hello.capabilities.tasks, { list: {}, cancel: {}, requests: { tools: { call: {} } } })
  const { result: listed } = await earlier('tools/list')
  const supports = new Map(
    listed.tools.map((tool: { name: string; execution?: object }) => [tool.name, tool.execution])
  )
  for (const name of ['wait_for_send', 'run_canary', 'simulate_many', 'verify_all_templates'])
    t.match(supports.get(name), { taskSupport: 'optional' }, name)
  t.equal(supports.get('whoami'), undefined)
  const begun = await earlier('tools/call', { ...waitFor('sent'), task: { ttl: 600_000 } })
  const { taskId } = begun.result.task
  t.match(begun.result.task, { status: 'working', ttl: 600_000, pollInterval: 1000 })
  const answered = await earlier('tasks/result', { taskId })
  t.match(answered.result, {
    structuredContent: { reached: true },
    _meta: { 'io.modelcontextprotocol/related-task': { taskId } }
  })
  t.match((await earlier('tasks/get', { taskId })).result, { taskId, status: 'completed' })
  t.match((await earlier('tasks/list')).result, { tasks: [{ taskId, status: 'completed' }] })
  t.match((await earlier('tasks/cancel', { taskId })).error, { code: -32602 })
  t.match((await earlier('tasks/list', { cursor: 'x' })).error, { code: -32602 })
  const whoami = { name: 'whoami', arguments: {}, task: {} }
  t.match((await earlier('tools/call', whoami)).error, { code: -32601 })
  t.match((await earlier('tools/call', waitFor('sent'))).result, { content: [{ type: 'text' }] })
  const refused = await earlier('tools/call', {
    name: 'wait_for_send',
    arguments: { id: 'none' },
    task: {}
  })
  const failed = { taskId: refused.result.task.taskId }
  t.match((await earlier('tasks/result', failed)).result, { isError: true })
  t.match((await earlier('tasks/get', failed)).result, { status: 'failed' })
})

test('a task says how far it is, and ends when it is cancelled', async (t) => {
  const { current, earlier, waitFor, tasks, clock } = await tasksApp(t)
  const { result } = await current('tools/call', waitFor('clicked'))
  const { taskId } = result
  const said = async () => (await current('tasks/get', { taskId })).result.statusMessage
  for (let poll = 0; poll < POLLS && !/The send is sent/.test(await said()); poll++) {
    await clock.advance(1000)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  t.equal(await said(), 'The send is sent.')
  t.match(await current('tasks/update', { taskId, inputResponses: {} }), {
    result: { resultType: 'complete' }
  })
  t.match(await current('tasks/cancel', { taskId }), { result: { resultType: 'complete' } })
  t.match((await current('tasks/get', { taskId })).result, { status: 'cancelled' })
  t.match((await earlier('tasks/result', { taskId })).error, { message: /cancelled/ })
  const second = await earlier('tools/call', { ...waitFor('clicked'), task: {} })
  const id = second.result.task.taskId
  t.match((await earlier('tasks/cancel', { taskId: id })).result, { status: 'cancelled' })
  // What its tool answers later changes nothing.
  t.match(await tasks.findOne({ _id: id }), { state: 'cancelled', result: undefined })
})

test('a task is unknown to everyone but its caller, in every method', async (t) => {
  const { current, earlier, waitFor } = await tasksApp(t)
  const { result } = await current('tools/call', waitFor('sent'))
  const { taskId } = result
  await whenOver(() => current('tasks/get', { taskId }))
  for (const id of [taskId, 'no-such-task', '']) {
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
      t.match((await current(method, { taskId: id }, ofOther)).error, { code: -32602 }, method)
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/result'])
      t.match((await earlier(method, { taskId: id }, ofOther)).error, { code: -32602 }, method)
  }
  t.same((await earlier('tasks/list', {}, ofOther)).result.tasks, [])
  t.match((await current('tasks/get', { taskId: 1 })).error, { code: -32602 })
})

test('a caller has ten tasks at work; one more is answered at once, or refused', async (t) => {
  const { current, earlier, waitFor } = await tasksApp(t)
  for (let begun = 0; begun < 10; begun++) await current('tools/call', waitFor('clicked'))
  const atOnce = await current('tools/call', waitFor('clicked', 0))
  t.match(atOnce.result, { resultType: 'complete', structuredContent: { reached: false } })
  const refused = await earlier('tools/call', { ...waitFor('clicked', 0), task: {} })
  t.match(refused.error, { code: -32600, message: /Too many tasks/ })
  const other = await current('tools/call', waitFor('sent'), ofOther)
  t.match(other.result, { resultType: 'task' })
})

test('a task whose process was killed, or stopped, says so', async (t) => {
  const { app, current, earlier, waitFor, tasks, clock } = await tasksApp(t)
  const { result } = await current('tools/call', waitFor('sent'))
  await whenOver(() => current('tasks/get', { taskId: result.taskId }))
  const row = (await tasks.findOne({ _id: result.taskId })) as TaskRow
  const { result: _result, isError: _isError, ...atWork } = row
  const aliveUntil = new Date(clock.now().getTime() - 1)
  await tasks.insertOne({ ...atWork, _id: 'killed', state: 'working', aliveUntil })
  const killed = await current('tasks/get', { taskId: 'killed' })
  t.match(killed.result, { status: 'failed', error: { code: -32603, message: /was stopped/ } })
  t.match((await earlier('tasks/result', { taskId: 'killed' })).error, { code: -32603 })
  const open = await current('tools/call', waitFor('clicked'))
  await app.close()
  t.match(await tasks.findOne({ _id: open.result.taskId }), { state: 'failed' })
  t.match(await tasks.findOne({ _id: result.taskId }), { state: 'completed' })
})

test('an expired task is unknown, and 100 are kept for a caller', async (t) => {
  const { current, earlier, waitFor, tasks, clock } = await tasksApp(t)
  const { result } = await current('tools/call', waitFor('sent'))
  await whenOver(() => current('tasks/get', { taskId: result.taskId }))
  const row = (await tasks.findOne({ _id: result.taskId })) as TaskRow
  const older = Array.from({ length: 120 }, (_, index) => ({
    ...row,
    _id: `old-${index}`,
    at: new Date(row.at.getTime() - 1000 - index)
  }))
  await tasks.insertMany(older)
  const { result: last } = await current('tools/call', waitFor('sent'))
  await whenOver(() => current('tasks/get', { taskId: last.taskId }))
  t.equal(await tasks.countDocuments({}), 100)
  t.equal((await earlier('tasks/list')).result.tasks.length, 100)
  await clock.advance(3_600_001)
  t.match((await current('tasks/get', { taskId: result.taskId })).error, { code: -32602 })
  t.same((await earlier('tasks/list')).result.tasks, [])
})

test('the tasks of a caller are found by an index', async (t) => {
  const { tasks, current, waitFor }: Awaited<ReturnType<typeof tasksApp>> & Partial<AgentApp> =
    await tasksApp(t)
  await current('tools/call', waitFor('sent'))
  const plan = await tasks.find({ owner: 'x' }, { sort: { at: -1 } }).explain('queryPlanner')
  t.match(JSON.stringify(plan), /owner_at/)
  t.notMatch(JSON.stringify(plan), /COLLSCAN|"SORT"/)
})
