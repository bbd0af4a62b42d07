// The write queue: who shares a transaction, what a failure costs the others, and waiting.
import { join } from 'node:path'
import { test } from 'tap'
import { type Cleaner, temporaryFolder } from '../engine/open-engine.test.data.ts'
import { commandError } from '../errors.ts'
import { type Environment, openEnvironment } from './environment.ts'
import type { WriteView } from './view.ts'
import { type Job, WriteQueue } from './write-queue.ts'

interface TestScope {
  readonly view: WriteView
  readonly jobs: string[]
}

const key = (text: string) => Buffer.from(text)
const value = Buffer.from('v')

async function openQueue(t: Cleaner, sliceMs?: number) {
  const environment = openEnvironment(join(await temporaryFolder(t), 'data.mdb'))
  const committed: string[][] = []
  const queue = new WriteQueue<TestScope>({
    environment,
    isExpected: (error) => error instanceof Error && 'code' in error,
    scopes: {
      open: (view) => ({ view, jobs: [] }),
      finish: () => undefined,
      publish: ({ jobs }) => committed.push(jobs)
    },
    ...(sliceMs === undefined ? {} : { sliceMs })
  })
  t.teardown(async () => {
    await queue.close()
    await environment.close()
  })
  return { environment, queue, committed }
}

function put(name: string): Job<TestScope, undefined, string> {
  return {
    start: undefined,
    turn({ view, jobs }) {
      jobs.push(name)
      view.put(key(name), value)
      return { done: name }
    }
  }
}

const has = ({ live }: Environment, name: string) => live.has(key(name))

test('jobs of one event turn share one transaction', async (t) => {
  const { queue, committed, environment } = await openQueue(t)
  t.same(await Promise.all(['a', 'b', 'c'].map((name) => queue.run(put(name)))), ['a', 'b', 'c'])
  t.same(committed, [['a', 'b', 'c']])
  t.ok(has(environment, 'c'))
})

test('a transaction that has taken its time leaves the others to the next', async (t) => {
  const { queue, committed } = await openQueue(t, 0)
  await Promise.all(['a', 'b'].map((name) => queue.run(put(name))))
  t.same(committed, [['a'], ['b']])
})

test('an expected error fails its job and keeps what the others wrote', async (t) => {
  const { queue, environment } = await openQueue(t)
  const failing: Job<TestScope, undefined, string> = {
    start: undefined,
    turn({ view }) {
      view.put(key('partial'), value)
      throw commandError('BadValue', 'no')
    }
  }
  const [first, second] = await Promise.allSettled([queue.run(failing), queue.run(put('a'))])
  t.equal(first.status, 'rejected')
  t.equal(second.status, 'fulfilled')
  t.ok(has(environment, 'partial'), 'what a turn wrote before is kept')
})

test('any other error undoes the transaction, and only the guilty job fails', async (t) => {
  const { queue, environment, committed } = await openQueue(t)
  const broken: Job<TestScope, undefined, string> = {
    start: undefined,
    turn({ view }) {
      view.put(key('broken'), value)
      throw new TypeError('a mistake')
    }
  }
  const results = await Promise.allSettled(
    [put('a'), broken, put('b')].map((job) => queue.run(job))
  )
  t.same(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled']
  )
  t.match(results[1], { reason: { code: 1, message: /a mistake/ } })
  t.notOk(has(environment, 'broken'))
  t.same(committed, [['a'], ['b']])
})

test('a job with more to do goes on in later transactions from its last progress', async (t) => {
  const { queue, committed } = await openQueue(t)
  const seen: number[] = []
  const long: Job<TestScope, number, string> = {
    start: 0,
    turn({ jobs }, progress) {
      seen.push(progress)
      jobs.push(`long ${progress}`)
      return progress === 2 ? { done: 'over' } : { progress: progress + 1 }
    }
  }
  const [result] = await Promise.all([queue.run(long), queue.run(put('a'))])
  t.equal(result, 'over')
  t.same(seen, [0, 1, 2])
  t.same(committed[0], ['long 0', 'a'])
})

test('a waiting job lets others go on and comes back when its wait is over', async (t) => {
  const { queue } = await openQueue(t)
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  let turns = 0
  const waiting: Job<TestScope, undefined, number> = {
    start: undefined,
    turn: () => (++turns === 1 ? { progress: undefined, waitFor: gate } : { done: turns })
  }
  const result = queue.run(waiting)
  await queue.run(put('meanwhile'))
  t.equal(turns, 1)
  release()
  t.equal(await result, 2)
})

test('a wait ends at its deadline', async (t) => {
  const { queue } = await openQueue(t)
  let turns = 0
  const never = new Promise<void>(() => undefined)
  const waiting: Job<TestScope, undefined, number> = {
    start: undefined,
    turn: () =>
      ++turns === 1
        ? { progress: undefined, waitFor: never, untilMs: Date.now() + 5 }
        : { done: turns }
  }
  t.equal(await queue.run(waiting), 2)
})

test('whenQuiet never sees a transaction half-way', async (t) => {
  const { queue } = await openQueue(t)
  const order: string[] = []
  const job: Job<TestScope, undefined, void> = {
    start: undefined,
    turn({ view }) {
      view.put(key('x'), value)
      order.push('written')
      queue.whenQuiet((live) => order.push(`quiet, there: ${live.has(key('x'))}`))
      return { done: undefined }
    }
  }
  t.equal(await queue.whenQuiet((live) => live.has(key('x'))), false)
  await queue.run(job)
  await queue.run(put('later'))
  t.same(order, ['written', 'quiet, there: true'])
  await t.rejects(
    queue.whenQuiet(() => {
      throw new Error('no')
    }),
    { message: 'no' }
  )
})

test('a closed queue takes nothing and has finished what it took', async (t) => {
  const { queue, environment } = await openQueue(t)
  const last = queue.run(put('last'))
  await queue.close()
  t.ok(has(environment, 'last'))
  await last
  await t.rejects(queue.run(put('late')), { code: 91 })
})

/** The cause of a failed commit as lmdb-js gives it. */
interface Fault {
  readonly code: number
  readonly message: string
}

/** The environment, of which the first commits fail as lmdb-js fails them. */
function failingFirst(environment: Environment, times: number, fault: Fault) {
  const seen = { writes: 0, reopened: 0 }
  const failing: Environment = {
    ...environment,
    reopen() {
      seen.reopened++
      environment.reopen()
    },
    write(change) {
      if (++seen.writes > times) return environment.write(change)
      const undone = environment.write((view) => {
        change(view)
        throw new Error('undo')
      })
      return undone.catch(() => {
        const cause = Object.assign(new Error(fault.message), { code: fault.code })
        throw Object.assign(new Error('Commit failed'), { commitError: Promise.reject(cause) })
      })
    }
  }
  return { failing, seen }
}

/** A queue none of whose errors are expected. */
const queueOver = (environment: Environment) =>
  new WriteQueue<TestScope>({
    environment,
    isExpected: () => false,
    scopes: {
      open: (view) => ({ view, jobs: [] }),
      finish: () => undefined,
      publish: () => undefined
    }
  })

async function openFailingQueue(t: Cleaner, times: number, fault: Fault) {
  const { environment } = await openQueue(t)
  const { failing, seen } = failingFirst(environment, times, fault)
  const queue = queueOver(failing)
  return { queue, environment, seen }
}

const NOT_FOUND = { code: -30798, message: 'MDB_NOTFOUND: No matching key/data pair found' }
const BAD_TRANSACTION = 'MDB_BAD_TXN: Transaction must abort, has a child, or is invalid'
const FREE_LIST_FAULTS = [
  NOT_FOUND,
  {
    code: -30782,
    message: `${BAD_TRANSACTION}: reserved freelist had a data entry with zero-size, last id 1\n`
  }
]

test('a commit that the list of free pages fails is made again with the file opened anew', async (t) => {
  for (const fault of FREE_LIST_FAULTS) {
    const { queue, environment, seen } = await openFailingQueue(t, 2, fault)
    t.equal(await queue.run(put('a')), 'a')
    t.ok(has(environment, 'a'))
    t.same(seen, { writes: 3, reopened: 2 }, fault.message)
  }
})

test('a commit that the list of free pages fails three times fails its job', async (t) => {
  const { queue, environment, seen } = await openFailingQueue(t, 3, NOT_FOUND)
  await t.rejects(queue.run(put('a')), { code: 1, message: /undone: MDB_NOTFOUND/ })
  t.notOk(has(environment, 'a'))
  t.equal(seen.writes, 3)
})

test('a commit that fails for another reason is not made again', async (t) => {
  for (const fault of [
    { code: -30779, message: 'MDB_BAD_VALSIZE: Unsupported size of key' },
    { code: -30782, message: BAD_TRANSACTION }
  ]) {
    const { queue, seen } = await openFailingQueue(t, 1, fault)
    await t.rejects(queue.run(put('a')), { code: 1 })
    t.same(seen, { writes: 1, reopened: 0 }, fault.message)
  }
})

test('when no transaction can begin, all jobs fail instead of waiting for ever', async (t) => {
  const failing = {
    live: {},
    write: () => Promise.reject(new Error('No space left on device'))
  } as unknown as Environment
  const queue = queueOver(failing)
  const results = await Promise.allSettled([queue.run(put('a')), queue.run(put('b'))])
  for (const result of results) t.match(result, { status: 'rejected', reason: { code: 14031 } })
})
