// The demo as a separate process, as `npm start` runs it after the build.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { collect, EndedError, end, freePort, ROOT, until } from './processes.ts'

export interface DemoProcess {
  /** With the prefix of the platform, where `KEELSON_PREFIX` gives one. */
  readonly url: string
  readonly child: ChildProcess
  text(): string
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

const START = [
  '-e',
  "import('./examples/platform/dist/main.js').then((demo) => demo.run(process.env))"
]
/** As `npm start` does it: a change of the settings is taken to another process. */
const SERVE = [
  join(ROOT, 'kernel/cli/keelson.mjs'),
  'serve',
  join(ROOT, 'examples/platform/worker.mjs')
]

/** Starts the demo on a data folder; resolves when it is ready. */
export async function startDemo(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  { isServed = false }: { readonly isServed?: boolean } = {}
): Promise<DemoProcess> {
  const port = await freePort()
  const ports = { PORT: String(port), KEELSON_SMTP_PORT: String(await freePort()) }
  const child = launch(dataDir, { ...ports, ...env }, isServed ? SERVE : START)
  const text = collect(child)
  const url = `http://127.0.0.1:${port}${env['KEELSON_PREFIX'] ?? ''}`
  await until('the demo being ready', 120_000, async () => {
    if (child.exitCode !== null) throw new EndedError(`it ended with ${child.exitCode}: ${text()}`)
    return (await fetch(`${url}/health/ready`)).status === 200 ? true : undefined
  })
  return {
    url,
    child,
    text,
    stop: () => end(child, 'SIGTERM')
  }
}

/** Starts the demo where it must refuse; resolves with its exit code and what it said. */
export async function refusedDemo(
  dataDir: string,
  env: Readonly<Record<string, string>>
): Promise<{ readonly code: number | null; readonly text: string }> {
  const child = launch(dataDir, { PORT: String(await freePort()), ...env })
  const text = collect(child)
  // Not at `exit`: what it said last may still be in the pipe.
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, text: text() }
}

function launch(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  command = START
): ChildProcess {
  const { KEELSON_DEMO_PASSWORD: _unset, ...rest } = process.env
  return spawn(process.execPath, command, {
    cwd: ROOT,
    env: { ...rest, KEELSON_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
}
