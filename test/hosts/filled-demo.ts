// The data of a demo after its first start: made once for a test run, and copied for each demo that would make the same.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readlink, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { startDemo } from './demo-process.ts'
import { ROOT, until } from './processes.ts'

/** A first start has 120 s, and its copy comes after it. */
const FILLED_WITHIN_MS = 150_000
/** As `.build/test-run.mjs` names the folder for temporary files of a run. */
const RUN_FOLDER = /^keelson-tests-/
/** With one of these the demo keeps its data in another place or form. */
const OTHER_STORAGE = ['MONGODB_URI', 'KEELSON_MONGOD']

/**
 * Puts the data of a first start into an empty data folder, so that a demo starts there without making it. It holds
 * no address of the demo that made it. Without a test run the folder stays empty: no other run may find the data,
 * because its code and its clock differ.
 */
export async function copyFilledData(dataDir: string): Promise<void> {
  const isElsewhere = OTHER_STORAGE.some((name) => (process.env[name] ?? '') !== '')
  if (isElsewhere || !RUN_FOLDER.test(basename(tmpdir()))) return
  await cp(await filledFolder(), dataDir, { recursive: true })
}

/** The folder with the data. The first process that asks makes it; the others wait for that one. */
async function filledFolder(): Promise<string> {
  const folder = join(tmpdir(), 'filled-demo')
  const lock = `${folder}.lock`
  const found = await until('the data of a first start', FILLED_WITHIN_MS, async () => {
    if (existsSync(folder)) return 'filled'
    return (await takeLock(lock)) ? 'locked' : undefined
  })
  if (found === 'filled') return folder
  try {
    // Another process may have let go of the lock since this one looked.
    if (!existsSync(folder)) await fill(folder)
  } finally {
    await rm(lock, { force: true })
  }
  return folder
}

/** The lock is a link whose target is the id of its process: it is made in one step, and names who made it. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await symlink(String(process.pid), lock)
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const holder = await readlink(lock).catch(() => undefined)
    // Two processes may remove one after the other, and both fill: `fill` bears it.
    if (holder !== undefined && !isRunning(Number(holder))) await rm(lock, { force: true })
    return false
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Fills a private folder and renames its copy, so that the shared folder is whole or missing. */
async function fill(folder: string): Promise<void> {
  const own = await mkdtemp(join(tmpdir(), 'keelson-demo-'))
  const [dataDir, copy] = [join(own, 'data'), join(own, 'copy')]
  try {
    const demo = await startDemo(dataDir)
    // Stopped in order: a demo that is copied while it runs, or was killed, still holds leases and jobs.
    const code = await demo.stop()
    if (code !== 0) throw new Error(`the demo ended with ${code}: ${demo.text()}`)
    await backUp(dataDir, copy)
    await rename(copy, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(own, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 })
  }
}

/** The engine itself makes the copy, which leaves out its locks and its socket, also while it is still ending. */
async function backUp(dataDir: string, copy: string): Promise<void> {
  const bin = join(ROOT, 'local-mongo', 'bin.mjs')
  await promisify(execFile)(process.execPath, [bin, 'backup', '--data', dataDir, '--to', copy])
}
