// The demo on a fresh data folder: for one test or file, or shared by the files of a process that only look at it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DemoProcess, startDemo } from './demo-process.ts'

interface Teardown {
  teardown(fn: () => Promise<void>): void
}

/** So that clients of several tests do not share a limit. */
const SHARED_ENV = { KEELSON_OAUTH_RATE_MAX: '10000' }

let shared: { readonly demo: Promise<DemoProcess>; stop(): Promise<void> } | undefined

/** Starts the demo; it and its folder go with the test. */
export async function startFreshDemo(
  t: Teardown,
  env: Readonly<Record<string, string>> = {}
): Promise<DemoProcess> {
  const { demo, stop } = start(env)
  t.teardown(stop)
  return demo
}

/** The demo of this process, started by the first that asks. A file that uses it calls `tap.teardown(stopSharedDemo)`. */
export function sharedDemo(): Promise<DemoProcess> {
  shared ??= start(SHARED_ENV)
  return shared.demo
}

/** Ends the shared demo. Where files share a process, the runner calls it after the last. */
export async function stopSharedDemo(): Promise<void> {
  const ended = shared
  shared = undefined
  await ended?.stop()
}

function start(env: Readonly<Record<string, string>>) {
  const folder = mkdtemp(join(tmpdir(), 'keelson-demo-'))
  const demo = folder.then((dataDir) => startDemo(dataDir, env))
  return {
    demo,
    async stop() {
      await (await demo).stop()
      await rm(await folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 })
    }
  }
}
