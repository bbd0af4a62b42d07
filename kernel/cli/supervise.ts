// Keeps a host process running: starts it again after changes, and after its end when something changed.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export interface SuperviseEvent {
  readonly event: 'starting' | 'ready' | 'ended' | 'changed'
  readonly text: string
  readonly url?: string
  readonly file?: string
  readonly exitCode?: number | null
}

export interface SuperviseOptions {
  readonly script: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends it all. */
  readonly signal: AbortSignal
  nextChange(signal: AbortSignal): Promise<string>
  report(event: SuperviseEvent): void
}

/** A host that does not end in this time after SIGTERM is killed. */
const END_MS = 12_000

/** Resolves when the signal is aborted and the host has ended. */
export async function superviseHost(options: SuperviseOptions): Promise<void> {
  const { signal, report } = options
  while (!signal.aborted) {
    const child = start(options)
    const file = await options.nextChange(signal).catch(() => undefined)
    if (file !== undefined) report({ event: 'changed', file, text: `${file} has changed` })
    await end(child)
  }
}

function start({ script, args, cwd, env, report }: SuperviseOptions): ChildProcess {
  report({ event: 'starting', text: 'starting' })
  // What the host says goes to stderr: stdout is ours.
  const stdio: ['ignore', 2, 2, 'ipc'] = ['ignore', 2, 2, 'ipc']
  const child = fork(script, [...args], { cwd, env: { ...env }, stdio })
  child.on('message', (message) => {
    const { ready } = message as { ready?: string }
    if (ready !== undefined) report({ event: 'ready', url: ready, text: `ready at ${ready}` })
  })
  child.once('exit', (exitCode, killedBy) => {
    const how = killedBy ?? `exit code ${exitCode}`
    const hint = exitCode === 0 || killedBy === 'SIGTERM' ? '' : '; waiting for a change'
    report({ event: 'ended', exitCode, text: `the host ended (${how})${hint}` })
  })
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS)
  await ended
  clearTimeout(timer)
}
