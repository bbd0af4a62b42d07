// The demo as after its first start, on its own data folder: for one test or file, or shared by the files of a process.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DemoProcess, startDemo } from './demo-process.ts'
import { copyFilledData } from './filled-demo.ts'
import { freePort } from './processes.ts'

interface Teardown {
  teardown(fn: () => Promise<void>): void
}

/** The demo that files of a process share. */
export interface SharedDemo extends DemoProcess {
  /** Free addresses, from which another admin UI may embed pages. */
  readonly origins: readonly string[]
}

/** So that clients of several tests do not share a limit. */
const SHARED_ENV = { KEELSON_OAUTH_RATE_MAX: '10000' }
/** One for each example of `embed-examples.test.ts`, and the last for `demo-in-browser.test.ts`. */
const ORIGINS = 6

let shared: ReturnType<typeof startShared> | undefined

/**
 * Starts the demo; it and its folder go with the test. `env` counts from this start on: its data is a copy of that of
 * a demo without it. A test that starts it more than once copies the data and calls `startDemo` itself.
 */
export async function startFreshDemo(
  t: Teardown,
  env: Readonly<Record<string, string>> = {},
  options: { readonly isServed?: boolean } = {}
): Promise<DemoProcess> {
  const { demo, stop } = start(env, options)
  t.teardown(stop)
  return demo
}

/** The demo of this process, started by the first that asks. A file that uses it calls `tap.teardown(stopSharedDemo)`. */
export async function sharedDemo(): Promise<SharedDemo> {
  shared ??= startShared()
  const { demo, origins } = await shared
  return { ...(await demo), origins }
}

async function startShared() {
  const origins = await freeOrigins()
  return { ...start({ ...SHARED_ENV, KEELSON_EMBED_ORIGINS: origins.join() }), origins }
}

async function freeOrigins(): Promise<readonly string[]> {
  const ports = new Set<number>()
  while (ports.size < ORIGINS) ports.add(await freePort())
  return [...ports].map((port) => `http://127.0.0.1:${port}`)
}

/** Ends the shared demo. Where files share a process, the runner calls it after the last. */
export async function stopSharedDemo(): Promise<void> {
  const ended = shared
  shared = undefined
  await (await ended)?.stop()
}

function start(
  env: Readonly<Record<string, string>>,
  options: { readonly isServed?: boolean } = {}
) {
  const folder = mkdtemp(join(tmpdir(), 'keelson-demo-'))
  const demo = folder.then(async (dataDir) => {
    await copyFilledData(dataDir)
    return startDemo(dataDir, env, options)
  })
  return {
    demo,
    async stop() {
      await (await demo).stop()
      await rm(await folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 })
    }
  }
}
