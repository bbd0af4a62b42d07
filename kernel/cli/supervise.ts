// Keeps a host process running: starts it again after changes, and after its end when something changed.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { DevFailure } from './dev-failure.ts'

export interface SuperviseEvent {
  readonly event: 'built' | 'starting' | 'ready' | 'failed' | 'ended' | 'changed'
  readonly text: string
  readonly url?: string
  readonly file?: string
  readonly exitCode?: number | null
  /** Of the error that a host failed with. */
  readonly code?: string
}

export interface SuperviseOptions {
  readonly script: string
  readonly args: readonly string[]
  /** Options of Node, beside those that every host gets. */
  readonly execArgv?: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends it all. */
  readonly signal: AbortSignal
  /** Called before each start; false: there is nothing to start until the next change. */
  prepare?(report: (event: SuperviseEvent) => void): Promise<boolean>
  nextChange(signal: AbortSignal): Promise<string>
  report(event: SuperviseEvent): void
}

/** Stacks name the author's TypeScript, and modules may import JSON without a warning. */
const NODE_OPTIONS = ['--enable-source-maps', '--disable-warning=ExperimentalWarning']

/** A host that does not end in this time after SIGTERM is killed. */
const END_MS = 12_000

/** Resolves when the signal is aborted and the host has ended. */
export async function superviseHost(options: SuperviseOptions): Promise<void> {
  const { signal, report } = options
  const prepare = () => options.prepare?.(report) ?? Promise.resolve(true)
  let isPrepared = await prepare()
  while (!signal.aborted) {
    const child = isPrepared ? start(options) : undefined
    const file = await options.nextChange(signal).catch(() => undefined)
    if (file !== undefined) report({ event: 'changed', file, text: `${file} has changed` })
    const ending = end(child)
    if (file !== undefined) isPrepared = await prepare()
    await ending
  }
}

function start(options: SuperviseOptions): ChildProcess {
  const { script, args, cwd, env, report } = options
  report({ event: 'starting', text: 'starting' })
  // What the host says goes to stderr: stdout is ours.
  const stdio: ['ignore', 2, 2, 'ipc'] = ['ignore', 2, 2, 'ipc']
  const execArgv = [...process.execArgv, ...NODE_OPTIONS, ...(options.execArgv ?? [])]
  const child = fork(script, [...args], { cwd, env: { ...env }, stdio, execArgv })
  child.on('message', (message) => {
    const { ready, failed } = message as { ready?: string; failed?: DevFailure }
    if (ready !== undefined) report({ event: 'ready', url: ready, text: `ready at ${ready}` })
    if (failed !== undefined) report({ event: 'failed', ...failed })
  })
  child.once('exit', (exitCode, killedBy) => {
    const how = killedBy ?? `exit code ${exitCode}`
    const hint = exitCode === 0 || killedBy === 'SIGTERM' ? '' : '; waiting for a change'
    report({ event: 'ended', exitCode, text: `the host ended (${how})${hint}` })
  })
  return child
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS)
  await ended
  clearTimeout(timer)
}
