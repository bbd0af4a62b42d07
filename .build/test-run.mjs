// Runs test files side by side, many in one process, and hands on what each printed.
import { spawn } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countTests, cutAtEnd } from './tap-count.mjs'

const PROCESS = fileURLToPath(new URL('./test-process.mjs', import.meta.url))
/** A file that takes longer has hung. */
const FILE_TIMEOUT_MS = 300_000
/** Each worker has an engine and a browser beside it, which use the cores while its process waits. */
const WORKERS = availableParallelism()
/** Files of one process: what they leave behind stays small. */
const MAX_FILES = 100
/** Memory as a folder, where a machine has it: databases, profiles and packages of tests are small and soon gone. */
const MEMORY = { path: '/dev/shm', bytes: 4 * 1024 ** 3 }
/** A comment of a file that changes its process, or measures it. */
const NEEDS_OWN_PROCESS = /^\/\/ Runs in its own process: /m
/** A comment of a file that waits for much of its time. */
const RUNS_BESIDE = /^\/\/ Runs beside the others: /m
const USES_TAP = /from 'tap'/

/**
 * Runs the files; `onFile({ file, ms, passed, failed, skipped, failures, diagnoses })` after each.
 * Each worker has its own database engine, which the tests of its files share, and one process, which loads and
 * compiles the platform once. Files that say they need their own process have one. Those that say they run beside
 * the others have a worker more, which uses what the cores leave; in the end it takes others, last package first.
 */
export async function runFiles(files, { root, env, onFile, workers = WORKERS }) {
  const beside = files.filter((file) => RUNS_BESIDE.test(sourceOf(file, root)))
  const others = files.filter((file) => !beside.includes(file))
  // Those first that need a process each: a worker leaves its shared process for none of them.
  const [waiting, waitingBeside] = [others, beside].map((some) =>
    some
      .map((file) => ({ file, isAlone: runsAlone(file, root) }))
      .sort((a, b) => Number(b.isAlone) - Number(a.isAlone))
  )
  const folder = mkdtempSync(join(temporaryFolder(), 'keelson-tests-'))
  // As `/tmp` is: a server that a test starts may give up the rights of root.
  chmodSync(folder, 0o711)
  const work = async (lists, at) => {
    const engine = await startEngine(env, join(folder, `engine-${at}`))
    try {
      const options = { root, env: { ...env, ...engine.env, TMPDIR: folder }, onFile }
      for (const [files, order] of lists) await runList(files, { ...options, order })
    } finally {
      await engine.close()
    }
  }
  try {
    const length = Math.min(workers, waiting.length)
    const workOf = Array.from({ length }, () => [[waiting, fromFirst]])
    if (waitingBeside.length > 0) {
      workOf.push([
        [waitingBeside, fromFirst],
        [waiting, fromLastPackage]
      ])
    }
    await Promise.all(workOf.map(work))
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Whether a file may be next. */
const fromFirst = () => true
/** Begins with a package that no other worker has loaded. */
const fromLastPackage = ({ file }, waiting) => packageOf(file) === packageOf(waiting.at(-1).file)

function take(waiting, order, isWanted = () => true) {
  const at = waiting.findIndex((each) => isWanted(each) && order(each, waiting))
  return at < 0 ? undefined : waiting.splice(at, 1)[0]
}

/** Until no file waits. */
async function runList(waiting, options) {
  while (waiting.length > 0) {
    const next = take(waiting, options.order)
    if (next.isAlone) await runAlone(next.file, options)
    else await runTogether(next, waiting, options)
  }
}

function temporaryFolder() {
  try {
    accessSync(MEMORY.path, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY.path)
    return bavail * bsize >= MEMORY.bytes ? MEMORY.path : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** The folder of the package that a test belongs to. */
export const packageOf = (file) => file.split('/dist/')[0]

function sourceOf(file, root) {
  return readFileSync(join(root, file.replace('/dist/', '/').replace(/\.js$/, '.ts')), 'utf8')
}

function runsAlone(file, root) {
  const source = sourceOf(file, root)
  return NEEDS_OWN_PROCESS.test(source) || !USES_TAP.test(source)
}

async function startEngine(env, dataDir) {
  if (env.MONGODB_URI) return { env: {}, close: async () => {} }
  const { startLocalMongo } = await import('@keelson/local-mongo')
  const engine = await startLocalMongo({ dataDir })
  await keepExpired(engine.uri)
  return { env: { KEELSON_TEST_DATA_DIR: dataDir }, close: () => engine.close() }
}

/** Tests move their own clock: the engine must not delete by today's date what is new by theirs. */
async function keepExpired(uri) {
  const { MongoClient } = await import('mongodb')
  const client = await MongoClient.connect(uri)
  await client.db('admin').command({ setParameter: 1, ttlMonitorEnabled: false })
  await client.close()
}

/** Starts node, collects what it prints, and ends it when it hangs. */
function startNode(args, { root, env }) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe']
  })
  const printed = { out: '', err: '' }
  child.stderr.setEncoding('utf8').on('data', (text) => (printed.err += text))
  child.stdout.setEncoding('utf8').on('data', (text) => (printed.out += text))
  let timer
  const startClock = () => {
    clearTimeout(timer)
    timer = setTimeout(() => child.kill('SIGKILL'), FILE_TIMEOUT_MS)
  }
  startClock()
  const ended = new Promise((resolve) => {
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      resolve(code ?? signal)
    })
  })
  return { child, printed, startClock, ended }
}

async function runAlone(file, { root, env, onFile }) {
  const startedAt = performance.now()
  const TAP_TIMEOUT = String(FILE_TIMEOUT_MS / 1000)
  const { printed, ended } = startNode([file], { root, env: { ...env, TAP_TIMEOUT } })
  const ending = await ended
  const counts = countTests(printed.out)
  if (ending !== 0 && counts.failed === 0) addEnding(counts, ending, printed)
  onFile({ file, ms: performance.now() - startedAt, ...counts })
}

/** Gives a process a file, and then others that wait, one by one. */
async function runTogether(first, waiting, { root, env, onFile, order }) {
  const { child, printed, startClock, ended } = startNode([PROCESS], {
    root,
    env: { ...env, TAP_TIMEOUT: '0' }
  })
  const results = []
  let file
  let startedAt
  const give = (next) => {
    startClock()
    startedAt = performance.now()
    file = next?.file
    if (file === undefined) child.stdio[3].end()
    else child.stdio[3].write(`${file}\n`)
  }
  const giveNext = () => {
    const isFull = results.length >= MAX_FILES
    give(isFull ? undefined : take(waiting, order, ({ isAlone }) => !isAlone))
  }
  const report = (result) => {
    results.push(result)
    onFile(result)
  }
  // A process that has ended reads no more: its end is reported below.
  child.stdio[3].on('error', () => {})
  child.stdout.on('data', () => {
    const { text, rest, hasEnded } = cutAtEnd(printed.out)
    if (!hasEnded) return
    report({ file, ms: performance.now() - startedAt, ...countTests(text) })
    printed.out = rest
    printed.err = ''
    giveNext()
  })
  give(first)
  const ending = await ended
  const isQuiet = ending === 0 || results.some(({ failed }) => failed > 0)
  if (file === undefined && isQuiet) return
  // Without a file under way, the last one has left something that fails.
  const counts = countTests(printed.out)
  addEnding(counts, ending, printed)
  const late = file ?? results.at(-1).file
  report({ file: late, ms: performance.now() - startedAt, ...counts })
}

/** A file that ended early, timed out or threw has failed even when each of its tests passed. */
function addEnding(counts, ending, { err }) {
  counts.failed++
  counts.failures.push(`the file itself ended with ${ending}`)
  counts.diagnoses.push(err.split('\n').slice(-40))
}
