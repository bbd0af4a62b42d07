// Runs test files side by side, each in a process of its own, and hands on what each printed.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { countTests } from './tap-count.mjs'

/** A file that takes longer has hung. */
const FILE_TIMEOUT_MS = 180_000

/**
 * Runs the files; `onFile({ file, ms, passed, failed, skipped, failures, diagnoses })` after each.
 * Each worker has a database engine of its own, which the tests of its files share.
 */
export async function runFiles(files, { root, env, onFile, workers = availableParallelism() }) {
  const waiting = [...files]
  const work = async () => {
    const engine = await startEngine(env)
    try {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        onFile(await runFile(file, { root, env: { ...env, ...engine.env } }))
      }
    } finally {
      await engine.close()
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, files.length) }, work))
}

async function startEngine(env) {
  if (env.MONGODB_URI) return { env: {}, close: async () => {} }
  const { startLocalMongo } = await import('@keelson/local-mongo')
  const dataDir = mkdtempSync(join(tmpdir(), 'keelson-tests-'))
  const engine = await startLocalMongo({ dataDir })
  return {
    env: { KEELSON_TEST_DATA_DIR: dataDir },
    async close() {
      await engine.close()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
    }
  }
}

function runFile(file, { root, env }) {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file], {
      cwd: root,
      env: { ...env, TAP_TIMEOUT: String(FILE_TIMEOUT_MS / 1000) },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    const printed = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text) => (printed.out += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (printed.err += text))
    const timer = setTimeout(() => child.kill('SIGKILL'), FILE_TIMEOUT_MS)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ file, ms: performance.now() - startedAt, ...resultOf(printed, code ?? signal) })
    })
  })
}

/** A file that ended early, timed out or threw has failed even when each of its tests passed. */
function resultOf({ out, err }, ending) {
  const counts = countTests(out)
  if (ending === 0 || counts.failed > 0) return counts
  counts.failed++
  counts.failures.push(`the file itself ended with ${ending}`)
  counts.diagnoses.push(err.split('\n').slice(-40))
  return counts
}
