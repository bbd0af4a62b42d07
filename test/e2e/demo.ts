// The demo as a process of its own, on free ports and a fresh data folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { freePort, ROOT, until } from '../hosts/processes.ts'

/** A first start writes the sample data before it is ready; a busy machine takes its time. */
const READY_MS = 150_000

interface Teardown {
  teardown(fn: () => Promise<void> | void): void
}

export interface Demo {
  readonly url: string
}

/** Runs what `npm start` runs once everything is built, and waits until it is ready. */
export async function startDemo(
  t: Teardown,
  env: Readonly<Record<string, string>> = {}
): Promise<Demo> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-e2e-'))
  const port = String(await freePort())
  const main = pathToFileURL(join(ROOT, 'examples', 'platform', 'dist', 'main.js'))
  const script = `const { run } = await import('${main}'); await run(process.env)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: ROOT,
    env: { ...process.env, HOST: '127.0.0.1', PORT: port, KEELSON_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let printed = ''
  child.stderr.on('data', (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(-10_000)
  })
  t.teardown(async () => {
    if (child.exitCode === null) {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    }
    await rm(dataDir, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 })
  })
  const url = `http://127.0.0.1:${port}`
  await until('the demo being ready', READY_MS, async () => {
    if (child.exitCode !== null) return true
    return (await fetch(`${url}/health/ready`)).status === 200 ? true : undefined
  })
  if (child.exitCode !== null) throw new Error(`The demo ended with ${child.exitCode}: ${printed}`)
  return { url }
}

/** Signs in by keyboard and arrives where one wanted to go. */
export async function signIn(page: Page, demo: Demo, email: string, path: string): Promise<void> {
  await page.goto(`${demo.url}${path}`)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('keelson-demo')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
}

/** Another admin UI, on an origin of its own, that is one HTML document. */
export async function startForeignAdmin(t: Teardown, html: () => string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(html())
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
