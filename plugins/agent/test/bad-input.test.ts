// Every operation with values of wrong types, unknown ids and huge lists: exact codes, no failure, nothing half done.
import { test } from 'tap'
import { refusals } from '../answers/refusals.ts'
import { agentApp, servedOperations, TOKEN } from './agent-app.ts'

type Fields = {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}
const operations = servedOperations.map(({ tool = '', ...operation }) => ({ tool, ...operation }))
const paramsOf = (path: string) => path.match(/:[A-Za-z]+/g) ?? []
const fieldsOf = (schema: unknown): Fields => (schema ?? {}) as Fields

/** The smallest value that a schema takes. */
function sample(schema: unknown): unknown {
  const {
    type,
    enum: words,
    anyOf,
    minimum,
    minItems,
    items,
    properties,
    required
  } = (schema ?? {}) as Fields & {
    readonly type?: string
    readonly enum?: readonly unknown[]
    readonly anyOf?: readonly unknown[]
    readonly minimum?: number
    readonly minItems?: number
    readonly items?: unknown
  }
  if (words !== undefined) return words[0]
  if (anyOf !== undefined) return sample(anyOf[0])
  if (type === 'object')
    return Object.fromEntries((required ?? []).map((name) => [name, sample(properties?.[name])]))
  if (type === 'array') return Array.from({ length: minItems ?? 0 }, () => sample(items))
  if (type === 'integer' || type === 'number') return minimum ?? 0
  return type === 'boolean' ? true : 'ghost'
}

const addressOf = ({ path }: { readonly path: string }, value: string) =>
  path.replace(/:[A-Za-z]+/g, value)

const WRONG = [5, ['a'], { $gt: '' }, null]
const HUGE = Array.from({ length: 20_000 }, (_, index) => `id-${index}`)

test('a field of a wrong type is refused with validation_failed, for every operation', async (t) => {
  const { call, db } = await agentApp(t)
  const rows = async () => {
    const names = [
      ...['sends', 'events', 'templates', 'flows', 'flow_runs', 'broadcasts', 'subscriptions'],
      ...['suppressions', 'audit_log', 'outbox']
    ].map((name) => `mailer_${name}`)
    const counts = await Promise.all(names.map((name) => db.collection(name).countDocuments({})))
    return Object.fromEntries(names.map((name, index) => [name, counts[index]]))
  }
  const before = await rows()
  for (const operation of operations) {
    const { method, body: schema, tool, bodyLimit } = operation
    // Longer than any field, and within the limit of the body.
    const long = 'x'.repeat(bodyLimit === undefined ? 900_000 : 2_100_000)
    const { properties = {} } = fieldsOf(schema)
    const right = sample(schema) as object
    for (const [name, field] of Object.entries(properties)) {
      const { type, anyOf } = field as { type?: string; anyOf?: readonly { type?: string }[] }
      const types = [type, ...(anyOf ?? []).map((one) => one.type)]
      for (const value of [...WRONG, long, HUGE]) {
        if (fits(value, types) && !(value === HUGE && types.includes('array'))) continue
        const { status, body } = await call(method, addressOf(operation, 'ghost'), {
          ...right,
          [name]: value
        })
        t.match([status, body.error], [400, 'validation_failed'], `${tool} ${name} ${typeof value}`)
        t.ok(body.fix && body.docs && body.fields?.length > 0, `${tool} ${name}`)
      }
    }
    if (schema === undefined) continue
    const extra = await call(method, addressOf(operation, 'ghost'), { ...right, $where: '1' })
    t.match([extra.status, extra.body.error], [400, 'validation_failed'], tool)
    const list = await call(method, addressOf(operation, 'ghost'), HUGE)
    t.equal(list.status, 400, `${tool} with a list`)
  }
  t.same(await rows(), before, 'nothing was written')
})

/** Objects and lists are judged inside; long texts by their limit. */
function fits(value: unknown, types: readonly (string | undefined)[]): boolean {
  if (Array.isArray(value)) return types.includes('array')
  if (value === null) return types.includes('null')
  if (typeof value === 'object') return types.includes('object')
  if (typeof value === 'number') return types.includes('integer') || types.includes('number')
  return types.length === 0
}

/** What each operation answers for an address with an id that is unknown, as status and word. */
const UNKNOWN: Readonly<Record<string, string>> = {
  render_template: '404 template_not_found',
  verify_template: '404 template_not_found',
  send_template: '404 template_not_found',
  wait_for_send: '404 send_not_found',
  dispatch_send: '404 send_not_found',
  simulate_flow: '404 flow_not_found',
  simulate_many: '404 flow_not_found',
  run_canary: '404 flow_not_found',
  arm_flow: '404 not_found',
  disarm_flow: '404 not_found',
  gate_flow: '404 not_found',
  ungate_flow: '404 not_found',
  get_run: '404 run_not_found',
  advance_run: '404 run_not_found',
  cancel_run: '404 run_not_found',
  get_contact: '404 contact_not_found',
  get_contact_by_email: '404 contact_not_found',
  subscribe_contact: '404 contact_not_found',
  unsubscribe_contact: '404 contact_not_found',
  tag_contact: '404 contact_not_found',
  get_unsubscribe_url: '404 contact_not_found',
  reset_contact: '404 contact_not_found',
  get_broadcast: '404 broadcast_not_found',
  change_broadcast: '404 broadcast_not_found',
  count_broadcast: '404 broadcast_not_found',
  schedule_broadcast: '404 broadcast_not_found',
  test_send_broadcast: '404 broadcast_not_found',
  pause_broadcast: '404 broadcast_not_found',
  resume_broadcast: '404 broadcast_not_found',
  send_next_wave: '404 broadcast_not_found',
  retry_broadcast: '404 broadcast_not_found',
  cancel_broadcast: '404 broadcast_not_found'
}

/** Bodies that are right but for the id in the address. */
const RIGHT: Readonly<Record<string, object>> = {
  send_template: { contactId: 't1' },
  simulate_flow: { contactId: 't1' },
  simulate_many: { synthetic: { count: 1 }, days: 1 },
  run_canary: { contactIds: ['t1'] },
  arm_flow: { confirm: true },
  schedule_broadcast: { scheduledAt: '2030-01-01T00:00:00Z', confirmedCount: 0 },
  test_send_broadcast: { contactIds: ['t1'] }
}

test('an unknown id has its exact code, for every operation that takes one', async (t) => {
  const { call, mailer } = await agentApp(t)
  mailer.events.register({ name: 'ghost', dedupePolicy: 'every-time' })
  const ids = ['ghost', 'x'.repeat(99), '%24where', '..%2f..', '%F0%9F%A6%8A']
  const answers: Record<string, string> = {}
  for (const operation of operations) {
    // Publishing a document makes it.
    if (paramsOf(operation.path).length === 0 || operation.tool === 'put_template') continue
    const found = new Set<string>()
    for (const id of ids) {
      const sampled = operation.body === undefined ? {} : sample(operation.body)
      const body = operation.method === 'GET' ? undefined : (RIGHT[operation.tool] ?? sampled)
      const reply = await call(operation.method, addressOf(operation, id), body)
      t.ok(reply.body.fix && reply.body.docs, operation.tool)
      found.add(`${reply.status} ${reply.body.error}`)
    }
    answers[operation.tool] = [...found].join(', ')
  }
  t.same(answers, UNKNOWN)
})

test('a wrong query is refused', async (t) => {
  const { call } = await agentApp(t)
  for (const operation of operations) {
    for (const name of Object.keys(fieldsOf(operation.query).properties ?? {})) {
      const address = `${addressOf(operation, 'ghost')}?${name}=a&${name}=b`
      const { status, body } = await call(operation.method, address)
      t.match([status, body.error], [400, 'validation_failed'], `${operation.tool} ${name}`)
    }
  }
  for (const path of ['/runs?limit=0', '/runs?limit=x', '/runs?status=z', '/runs?cursor=z']) {
    t.match(await call('GET', path), { status: 400, body: { error: 'validation_failed' } }, path)
  }
})

test('a body that is not JSON, or is too large, is refused', async (t) => {
  const { call } = await agentApp(t)
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  for (const broken of ['{', '[1', '"a"', 'null']) {
    const { status } = await call('POST', '/events', broken, headers)
    t.equal(status, 400, broken)
  }
  const large = `{"name":"${'x'.repeat(9_000_000)}"}`
  t.equal((await call('POST', '/events', large, headers)).status, 413)
})

test('every refusal says what to do, and with which status', async (t) => {
  for (const [word, { status, message, fix }] of Object.entries(refusals.table)) {
    t.ok(status >= 400 && status < 600, word)
    t.match(message, /^\S.*\.$/, word)
    t.match(fix, /^\S.*\.$/, word)
  }
})

test('the OpenAPI document has every operation, and what it takes and answers', async (t) => {
  const { call } = await agentApp(t)
  const { body } = await call('GET', '/openapi.json')
  t.equal(body.openapi, '3.1.0')
  for (const { id, method, path, status = 200 } of operations) {
    const found = body.paths[path.replace(/:([A-Za-z]+)/g, '{$1}')]?.[method.toLowerCase()]
    const [usual = 200] = [status].flat()
    t.match(found, { operationId: id, responses: { [usual]: {}, 400: {}, 403: {} } }, id)
    t.same(
      found.parameters.filter((one: { in: string }) => one.in === 'path').length,
      paramsOf(path).length
    )
  }
})
