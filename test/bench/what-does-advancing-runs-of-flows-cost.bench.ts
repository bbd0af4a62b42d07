// What advancing due runs of flows costs: in batches as the worker does it, against one run at a time.
import { inTurns, printFigure } from './measure.ts'

interface Collection {
  countDocuments(filter: object): Promise<number>
  updateMany(filter: object, update: object): Promise<unknown>
  insertMany(rows: readonly object[]): Promise<unknown>
  deleteMany(filter: object): Promise<unknown>
}

/** The part of the mailer's test context that is used here. It is not exported by the package. */
interface Flows {
  readonly context: {
    readonly collections: Readonly<Record<'flowRuns' | 'sends', Collection>>
    readonly queues: { readonly flowRuns: { add(items: readonly object[]): Promise<unknown> } }
    readonly clock: { now(): Date }
  }
  readonly queues: { readonly flowRuns: { runDue(): Promise<void> } }
  addFlow(slug: string, steps: readonly object[]): Promise<void>
}
interface FlowsModule {
  testFlows(t: object, options: object): Promise<Flows>
}

const BATCHED = 10_000
const SINGLE = 100
const CONTACTS = 500

const cleanUps: (() => Promise<void>)[] = []
const t = { teardown: (fn: () => Promise<void>) => void cleanUps.push(fn) }
const built = new URL('../../../plugins/mailer/dist/test/test-flows.js', import.meta.url)
const { testFlows } = (await import(built.href)) as FlowsModule
const ids = Array.from({ length: CONTACTS }, (_, at) => `c${at}`)
const { context, queues, addFlow } = await testFlows(t, { ids })
await addFlow('flow', [
  { type: 'condition', test: { hasFiredEvent: 'go' }, ifFalse: 'continue' },
  { type: 'tag', addTags: ['seen'] },
  { type: 'send', templateSlug: 'a' },
  { type: 'wait', value: 1, unit: 'days' }
])

let round = 0
async function addRuns(count: number): Promise<void> {
  const { flowRuns, sends } = context.collections
  await flowRuns.deleteMany({})
  await sends.deleteMany({})
  round++
  const now = context.clock.now()
  const runs = Array.from({ length: count }, (_, at) => ({
    _id: `run-${round}-${at}`,
    flowId: 'flow',
    flowSlug: 'flow',
    flowVersion: 1,
    externalId: `c${at % CONTACTS}`,
    emailAtEntry: `c${at % CONTACTS}@example.test`,
    triggerEvent: null,
    triggerDedupeKey: `key-${at}`,
    status: 'active',
    path: '0',
    history: [],
    enteredAt: now
  }))
  for (let at = 0; at < count; at += 1000)
    await context.queues.flowRuns.add(runs.slice(at, at + 1000))
}

async function advanced(count: number): Promise<void> {
  const waiting = await context.collections.flowRuns.countDocuments({
    nextActionAt: { $exists: true }
  })
  if (waiting !== count) throw new Error(`${waiting} of ${count} runs were advanced`)
}

/** Milliseconds per run, all of them due at once. */
async function inBatches(): Promise<number> {
  await addRuns(BATCHED)
  const start = performance.now()
  await queues.flowRuns.runDue()
  const ms = performance.now() - start
  await advanced(BATCHED)
  return ms / BATCHED
}

/** Milliseconds per run, each claimed and settled by itself. */
async function oneByOne(): Promise<number> {
  await addRuns(SINGLE)
  const far = new Date(context.clock.now().getTime() + 3_600_000)
  const { flowRuns } = context.collections
  await flowRuns.updateMany({}, { $set: { dueAt: far } })
  let ms = 0
  for (let at = 0; at < SINGLE; at++) {
    await flowRuns.updateMany({ _id: `run-${round}-${at}` }, { $set: { dueAt: new Date(0) } })
    const start = performance.now()
    await queues.flowRuns.runDue()
    ms += performance.now() - start
  }
  await advanced(SINGLE)
  return ms / SINGLE
}

const { first: batched, second: single } = await inTurns(3, inBatches, oneByOne)
const detail = `${batched.toFixed(3)} ms in batches, ${single.toFixed(2)} ms one by one`
printFigure('one by one over in batches, per run', single / batched, { atLeast: 20 }, detail)
for (const cleanUp of cleanUps.reverse()) await cleanUp()
process.exit()
