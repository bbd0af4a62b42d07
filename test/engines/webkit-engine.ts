// WebKit, as WebKitGTK has it, by its WebDriver on a display of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { freePort } from '../hosts/processes.ts'
import { type Engine, findProgram, type Teardown } from './engine.ts'

const LIBRARIES = '/usr/lib/x86_64-linux-gnu'
const driver = findProgram(['/usr/bin/WebKitWebDriver'])
const display = findProgram(['/usr/bin/Xvfb'])
const browser = findProgram(browsers())

function browsers(): readonly string[] {
  try {
    return readdirSync(LIBRARIES)
      .filter((name) => name.startsWith('webkit2gtk-'))
      .map((name) => `${LIBRARIES}/${name}/MiniBrowser`)
  } catch {
    return []
  }
}

function endWith(t: Teardown, child: ChildProcess): void {
  t.teardown(async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  })
}

/** Starts a display; resolves with its name. */
async function openDisplay(t: Teardown): Promise<string> {
  const child = spawn(display ?? 'Xvfb', ['-displayfd', '3', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe']
  })
  endWith(t, child)
  const [number] = await once(child.stdio[3] as Readable, 'data')
  return `:${String(number).trim()}`
}

async function untilListening(address: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`${address}/status`).catch(() => undefined)
    if (answer?.ok === true) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('WebKitWebDriver does not answer.')
}

async function post(address: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  const { value } = (await answer.json()) as { value: unknown }
  if (!answer.ok) throw new Error(JSON.stringify(value))
  return value
}

/** WebDriver hands a callback to the script as its last argument. */
const script = (body: string): string =>
  `const done = arguments[arguments.length - 1]
  ;(async () => {${body}})().then((value) => done({ value }), (error) => done({ error: String(error) }))`

export const webkitEngine: Engine = {
  name: 'WebKit',
  ...((driver === undefined || display === undefined || browser === undefined) && {
    skip: 'No WebKit found: install webkit2gtk-driver and xvfb.'
  }),
  async open(t) {
    const port = await freePort()
    // A language that the C library lacks becomes "C", which no element must fail at.
    const env = { ...process.env, DISPLAY: await openDisplay(t), LANG: 'C' }
    const child = spawn(driver ?? '', [`--port=${port}`, '--host=127.0.0.1'], {
      env,
      stdio: 'ignore'
    })
    endWith(t, child)
    const address = `http://127.0.0.1:${port}`
    await untilListening(address)
    const options = { binary: browser, args: ['--automation'] }
    const alwaysMatch = { 'webkitgtk:browserOptions': options }
    const made = (await post(`${address}/session`, { capabilities: { alwaysMatch } })) as {
      sessionId: string
    }
    const session = `${address}/session/${made.sessionId}`
    t.teardown(async () => void (await fetch(session, { method: 'DELETE' })))
    return {
      goto: async (url) => void (await post(`${session}/url`, { url })),
      async run(body) {
        const answer = await post(`${session}/execute/async`, { script: script(body), args: [] })
        const { value, error } = answer as { value?: unknown; error?: string }
        if (error !== undefined) throw new Error(error)
        return value
      }
    }
  }
}
