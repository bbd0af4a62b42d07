// Loads: when they start, what an overtaken answer does, what stays after an error.
import { test } from 'tap'
import { type Messages, registerCatalog } from '../locales/catalog.ts'
import { FakePage } from '../test/fake-page.ts'
import { failedLoads, Load } from './load.ts'

/** A load of parameter `q` whose answers are given by hand. */
function openLoad(query = 'q=a') {
  const page = new FakePage(query)
  const runs: { q: string; signal: AbortSignal; answer(value: string): void; fail(): void }[] = []
  const load = new Load(page.page, {
    args: () => (page.params.get('q') === null ? null : ([page.params.get('q') ?? ''] as const)),
    run: ([q], signal) =>
      new Promise<string>((resolve, reject) => {
        runs.push({ q, signal, answer: resolve, fail: () => reject(new Error(`no ${q}`)) })
      })
  })
  page.connect()
  const at = (index: number) => {
    const run = runs[index]
    if (run === undefined) throw new Error(`run ${index} has not started`)
    return run
  }
  return { page, load, runs, at }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('it starts with the page, and again only when its arguments change', async (t) => {
  const { page, load, runs, at } = openLoad()
  t.ok(load.isFirst)
  at(0).answer('A')
  await settle()
  t.same([load.status, load.value, load.isFirst], ['complete', 'A', false])
  page.go({ other: 'x' })
  t.equal(runs.length, 1)
  page.go({ q: 'b' })
  t.same([runs.length, load.status, load.value], [2, 'pending', 'A'])
})

test('an answer that was overtaken is aborted and not shown', async (t) => {
  const { page, load, at } = openLoad()
  page.go({ q: 'b' })
  t.ok(at(0).signal.aborted)
  at(1).answer('B')
  at(0).answer('A')
  await settle()
  t.equal(load.value, 'B')
})

test('an error that was overtaken is not shown', async (t) => {
  const { page, load, at } = openLoad()
  page.go({ q: 'b' })
  at(0).fail()
  at(1).answer('B')
  await settle()
  t.same([load.status, load.failure], ['complete', undefined])
})

test('an error keeps the last value, and is gone while the next run is pending', async (t) => {
  const { load, at } = openLoad()
  at(0).answer('A')
  await settle()
  const reloading = load.reload()
  at(1).fail()
  await reloading
  t.match(load.failure, { message: 'no a' })
  t.equal(load.value, 'A')
  void load.reload()
  t.equal(load.failure, undefined)
})

test('a value does not stay under a question that failed', async (t) => {
  const { page, load, at } = openLoad()
  at(0).answer('A')
  await settle()
  page.go({ q: 'b' })
  at(1).fail()
  await settle()
  t.same([load.value, load.status], [undefined, 'error'])
  t.match(load.missing, { message: 'no b' })
})

test('a load counts as failed when what it needs has failed, and waits while that is read', async (t) => {
  const page = new FakePage()
  const needs = { failure: undefined as unknown, value: undefined as unknown }
  const load = new Load(page.page, { needs, args: () => null, run: async () => 'never' })
  page.connect()
  t.ok(load.isFirst)
  needs.failure = new Error('no registry')
  t.same([load.isFirst, load.failure], [false, needs.failure])
  Object.assign(needs, { failure: undefined, value: {} })
  t.same([load.isFirst, load.failure], [false, undefined], 'nothing to load is nothing to wait for')
})

test('the banner of a page lists failures until they are answered, but not those shown elsewhere', async (t) => {
  const { page, load, at } = openLoad()
  const quiet = new Load(page.page, {
    quiet: true,
    args: () => [] as const,
    run: () => Promise.reject(new Error('shown in its place'))
  })
  page.update()
  at(0).fail()
  await settle()
  t.ok(quiet.failure)
  t.same(failedLoads(page.page), [load])
  const retrying = load.retry()
  t.same(failedLoads(page.page), [load], 'while the next try is pending')
  at(1).answer('A')
  await retrying
  t.same(failedLoads(page.page), [])
})

test('without arguments there is nothing to load', async (t) => {
  const { load, runs } = openLoad('')
  await load.reload()
  t.same([runs.length, load.status], [0, 'initial'])
})

test('a page that goes away aborts, and loads again when it comes back', async (t) => {
  const { page, load, at, runs } = openLoad()
  page.disconnect()
  t.ok(at(0).signal.aborted)
  t.equal(load.status, 'initial')
  page.disconnect()
  page.connect()
  t.equal(runs.length, 2)
})

test('a page that goes away keeps what is loaded', async (t) => {
  const { page, load, at, runs } = openLoad()
  at(0).answer('A')
  await settle()
  page.disconnect()
  page.connect()
  t.same([runs.length, load.value], [1, 'A'])
})

test('the page says when it starts and ends to wait, once for overlapping runs', async (t) => {
  const page = new FakePage('q=a')
  const heard: boolean[] = []
  page.addEventListener('keelson-busy', (event) => {
    heard.push((event as CustomEvent<{ busy: boolean }>).detail.busy)
  })
  let answer = () => {}
  new Load(page.page, {
    args: () => [page.params.get('q')] as const,
    run: () => new Promise<void>((resolve) => (answer = resolve))
  })
  page.connect()
  page.go({ q: 'b' })
  answer()
  await settle()
  t.same(heard, [true, false])
})

test('a value can be replaced by the page', async (t) => {
  const { load, at } = openLoad()
  at(0).answer('A')
  await settle()
  load.set('changed')
  t.equal(load.value, 'changed')
})

test('what brings texts is shown once they are there in the language of the page', async (t) => {
  const { page, load, at } = openLoad()
  page.format.locale = 'eo-001'
  let arrive = (_texts: { readonly default: Messages }) => {}
  registerCatalog(
    'en',
    { 'late.title': 'Late' },
    { eo: () => new Promise((take) => (arrive = take)) }
  )
  at(0).answer('A')
  await settle()
  t.equal(load.value, undefined)
  arrive({ default: { 'late.title': 'Malfrua' } })
  await settle()
  t.equal(load.value, 'A')
})
