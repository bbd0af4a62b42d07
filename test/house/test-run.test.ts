// How test files share processes, what fails one of them, and what a run comes to.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Test, test } from 'tap'

interface Result {
  readonly file: string
  readonly passed: number
  readonly failed: number
  readonly failures: readonly string[]
  readonly diagnoses: readonly (readonly string[])[]
}

// Seen from test/dist/house.
const repository = new URL('../../../', import.meta.url)
interface RunOptions {
  readonly root: string
  readonly env: object
  readonly workers: number
  readonly onFile: (result: Result) => void
}
interface Outcome {
  readonly results: readonly Result[]
  readonly flaky: readonly string[]
}

const { runFiles } = (await import(new URL('.build/test-run.mjs', repository).href)) as {
  runFiles(files: readonly string[], options: RunOptions): Promise<void>
}
const { runAndTryAgain, verdictOf } = (await import(
  new URL('.build/test-verdict.mjs', repository).href
)) as {
  runAndTryAgain(files: readonly string[], options: RunOptions): Promise<Outcome>
  verdictOf(outcome: Outcome): { readonly lines: readonly string[]; readonly exitCode: number }
}

/** Writes test files of the package `shop`, or of the one after `@`. */
function project(t: Test, files: Readonly<Record<string, string>>) {
  const cache = join(fileURLToPath(repository), 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const root = mkdtempSync(join(cache, 'test-run-'))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  const paths = Object.entries(files).map(([key, text]) => {
    const [name, folder = 'shop'] = key.split('@')
    const file = `${folder}/dist/${name}.test.js`
    mkdirSync(dirname(join(root, file)), { recursive: true })
    const whole = text.includes('node:test') ? text : `import { test } from 'tap'\n${text}`
    writeFileSync(join(root, folder, `${name}.test.ts`), whole)
    writeFileSync(join(root, file), whole)
    return file
  })
  // Named, so that no engine is started.
  return { root, paths, env: { ...process.env, MONGODB_URI: 'mongodb://localhost' } }
}

/** Runs such files in turn; answers what each came to. */
async function run(t: Test, files: Readonly<Record<string, string>>) {
  const { root, paths, env } = project(t, files)
  const results: Omit<Result, 'diagnoses'>[] = []
  const onFile = ({ file, passed, failed, failures }: Result) =>
    void results.push({ file, passed, failed, failures })
  await runFiles(paths, { root, env, workers: 1, onFile })
  return results.map(({ passed, failed, failures }) => ({ passed, failed, failures }))
}

const counted = `globalThis.files = (globalThis.files ?? 0) + 1\n`
const expects = (count: number) =>
  `${counted}test('is number ${count}', async (t) => t.equal(globalThis.files, ${count}))`
const passes = { passed: 1, failed: 0, failures: [] }

test('files of a package share a process, except one that says that it needs its own', async (t) => {
  const alone = `// Runs in its own process: it counts files.\n${expects(1)}`
  const results = await run(t, { a: expects(1), b: expects(2), alone, c: expects(3) })
  t.same(results, [passes, passes, passes, passes])
})

/** Passes once the other file runs too. */
const meets = (own: string, other: string) => `
  import { existsSync, writeFileSync } from 'node:fs'
  const mark = (name) => new URL(name, import.meta.url)
  test('meets the other', async (t) => {
    writeFileSync(mark('${own}'), '')
    while (!existsSync(mark('${other}'))) await new Promise((done) => setTimeout(done, 20))
    t.pass()
  })`

test('a file that says that it runs beside the others keeps no worker', async (t) => {
  const beside = `// Runs beside the others: it waits.\n${meets('b', 'a')}`
  t.same(await run(t, { a: meets('a', 'b'), beside }), [passes, passes])
})

test('the worker for files that wait takes other files in the end', async (t) => {
  const beside = `// Runs beside the others: it waits.\ntest('is over', async (t) => t.pass())`
  const results = await run(t, { beside, a: meets('a', 'b'), b: meets('b', 'a') })
  t.same(results, [passes, passes, passes])
})

test('a file of another test runner is run by itself and counted', async (t) => {
  const other = `import { test } from 'node:test'\n${counted}test('adds up', () => {})`
  t.same(await run(t, { a: expects(1), other, b: expects(2) }), [passes, passes, passes])
})

test('a file with a failed test fails, and the next one does not', async (t) => {
  const results = await run(t, {
    wrong: `test('is wrong', async (t) => t.equal(1, 2))`,
    next: expects(1)
  })
  t.same(results, [{ passed: 0, failed: 1, failures: ['is wrong'] }, passes])
})

test('an error that no test catches fails its file, and the next one runs in a new process', async (t) => {
  const [late, next] = await run(t, {
    late: `${counted}test('goes on', (t) => void setTimeout(() => { throw new Error('late') }))`,
    next: expects(1)
  })
  t.match(late?.failures, ['goes on', /left in queue/, 'the file itself ended with 1'])
  t.same(next, passes)
})

test('a file that cannot be loaded fails', async (t) => {
  const results = await run(t, { broken: `import './missing.js'`, next: expects(1) })
  t.same(results, [{ passed: 0, failed: 1, failures: ['the file itself ended with 1'] }, passes])
})

test('a test that waits for nothing fails its file', async (t) => {
  const [stuck] = await run(t, { stuck: `test('waits', () => new Promise(() => {}))` })
  t.ok((stuck?.failed ?? 0) > 0)
})

test('a process that does not end after its last file fails, and names what keeps it', async (t) => {
  const { root, paths, env } = project(t, {
    open: `import { createServer } from 'node:http'
    test('leaves a server', async (t) => {
      await new Promise((done) => createServer().listen(0, '127.0.0.1', done))
    })`
  })
  const diagnoses: string[] = []
  const onFile = (result: Result) => void diagnoses.push(...result.diagnoses.flat())
  await runFiles(paths, { root, env: { ...env, KEELSON_TEST_END_MS: '200' }, workers: 1, onFile })
  t.match(diagnoses.join('\n'), /Open: .*TCPServerWrap[\s\S]*\n {2}Server .*"port":\d+/)
})

test('what a file ends after its tests is done before the next file', async (t) => {
  const ending = `import tap from 'tap'\ntap.teardown(() => { globalThis.files = 7 })\n${expects(1)}`
  const next = `test('comes later', async (t) => t.equal(globalThis.files, 7))`
  t.same(await run(t, { ending, next }), [passes, passes])
})

test('a demo serves the other files of a package, and ends before those of the next', async (t) => {
  const starts = `import tap from 'tap'
  tap.teardown(function stopSharedDemo() { globalThis.isOver = true })
  ${expects(1)}`
  const isOver = (expected: boolean) =>
    `test('${expected}', async (t) => t.equal(globalThis.isOver === true, ${expected}))`
  const results = await run(t, { starts, same: isOver(false), 'next@cellar': isOver(true) })
  t.same(results, [passes, passes, passes])
})

test('tests of a file may wait side by side, and those of the next file do not', async (t) => {
  const waits = `
  const wait = () => new Promise((done) => setTimeout(done, 20))
  let running = 0
  let most = 0
  const waiting = async () => {
    most = Math.max(most, ++running)
    await wait()
    running--
  }
  test('waits', waiting)
  test('waits too', waiting)
  test('counts', async (t) => {
    while (running > 0) await wait()
    t.equal(most, MOST)
  })`
  const beside = `import tap from 'tap'\ntap.jobs = 3\n${waits.replace('MOST', '2')}`
  const next = waits.replace('MOST', '1')
  const three = { passed: 3, failed: 0, failures: [] }
  t.same(await run(t, { beside, next }), [three, three])
})

test('a test that fails and then passes ends the run with 1, and is named as flaky', async (t) => {
  const { root, paths, env } = project(t, {
    flaky: `import { existsSync, writeFileSync } from 'node:fs'
    const mark = new URL('mark', import.meta.url)
    const isSecond = existsSync(mark)
    writeFileSync(mark, '')
    test('passes once it has failed', async (t) => t.ok(isSecond))`,
    wrong: `test('is wrong', async (t) => t.equal(1, 2))`,
    right: `test('is right', async (t) => t.pass())`
  })
  const outcome = await runAndTryAgain(paths, { root, env, workers: 1, onFile: () => {} })
  t.same(verdictOf(outcome), {
    lines: [
      'failed, then passed: flaky: shop/dist/flaky.test.js',
      'failed: shop/dist/flaky.test.js: passes once it has failed',
      'failed: shop/dist/wrong.test.js: is wrong',
      '1 passed, 2 failed'
    ],
    exitCode: 1
  })
})

test('a run without failures ends with 0, and one without tests with 1', async (t) => {
  const ran = { file: 'a', ...passes, diagnoses: [], skipped: 0 }
  t.same(verdictOf({ results: [ran], flaky: [] }), { lines: ['1 passed, 0 failed'], exitCode: 0 })
  t.equal(verdictOf({ results: [{ ...ran, passed: 0 }], flaky: [] }).exitCode, 1)
})
