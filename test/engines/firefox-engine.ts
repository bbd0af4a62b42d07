// Firefox, by WebDriver BiDi, which it speaks itself: no driver is needed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'undici'
import { type Engine, type EngineWindow, findProgram } from './engine.ts'

const program = findProgram(['/usr/bin/firefox-esr', '/usr/bin/firefox'])

interface Answer {
  readonly type: 'success' | 'error'
  readonly message?: string
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own result
  readonly result?: any
}
type Call = (method: string, params: object) => Promise<Answer>

/** The address of BiDi, which Firefox prints. */
async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('Firefox has no stderr.')
  for await (const line of createInterface({ input: child.stderr })) {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
    if (address !== undefined) return address
  }
  throw new Error('Firefox ended before it listened.')
}

function callsOf(socket: WebSocket): Call {
  const waiting = new Map<number, (answer: Answer) => void>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer & { readonly id?: number }
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  return async (method, params) => {
    const id = ++last
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`)
    return answer
  }
}

async function windowOf(call: Call): Promise<EngineWindow> {
  await call('session.new', { capabilities: {} })
  const [{ context }] = (await call('browsingContext.getTree', {})).result.contexts
  return {
    goto: async (url) =>
      void (await call('browsingContext.navigate', { context, url, wait: 'complete' })),
    async run(body) {
      const expression = `(async () => JSON.stringify(await (async () => {${body}})()))()`
      const target = { context }
      const { result } = await call('script.evaluate', { expression, target, awaitPromise: true })
      if (result.type === 'exception') throw new Error(result.exceptionDetails.text)
      return result.result.type === 'string' ? JSON.parse(result.result.value) : undefined
    }
  }
}

export const firefoxEngine: Engine = {
  name: 'Firefox',
  ...(program === undefined && { skip: 'No Firefox found: install firefox-esr.' }),
  async open(t) {
    const profile = await mkdtemp(join(tmpdir(), 'keelson-firefox-'))
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0']
    const child = spawn(program ?? 'firefox-esr', [...args, 'about:blank'], {
      env: { ...process.env, HOME: profile },
      stdio: ['ignore', 'ignore', 'pipe']
    })
    t.teardown(async () => {
      const ended = once(child, 'exit')
      child.kill()
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
    })
    const socket = new WebSocket(`${await addressOf(child)}/session`)
    // Firefox cuts it when it ends.
    socket.addEventListener('error', () => {})
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
    child.stderr.resume()
    return windowOf(callsOf(socket))
  }
}
