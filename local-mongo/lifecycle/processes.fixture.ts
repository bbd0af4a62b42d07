// Waiting for processes and running the command, for tests.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { Scope } from '../server/test-server.fixture.ts'
import { lockHolder } from './folder-lock.ts'

/** The command as it is installed. */
export const BIN = fileURLToPath(new URL('../../bin.mjs', import.meta.url))

/** Resolves when a process is gone. */
export async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Runs the command until it ends. */
export async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [BIN, ...argv])
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, out, err }
}

/** The command while it serves. */
export interface ServingCommand {
  readonly child: ChildProcess
  readonly uri: string
  readonly pid: number
  /** What it wrote to stderr, line by line. */
  complaints(): readonly { readonly message: string }[]
  /** Resolves once a line on stderr matches. */
  complaint(pattern: RegExp): Promise<void>
}

/** Starts the command on a data folder, in a process group of its own; resolves when it is ready. */
export async function startCommand(t: Scope, ...argv: string[]): Promise<ServingCommand> {
  const child = spawn(process.execPath, [BIN, ...argv], { detached: true })
  t.teardown(async () => endGroup(child.pid))
  let text = ''
  child.stderr.on('data', (chunk) => {
    text += chunk
  })
  const [line] = await once(child.stdout, 'data')
  return {
    child,
    ...(JSON.parse(String(line)) as { uri: string; pid: number }),
    complaints: () =>
      text
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((each) => JSON.parse(each)),
    async complaint(pattern) {
      while (!pattern.test(text)) await once(child.stderr, 'data')
    }
  }
}

function endGroup(pid: number | undefined): void {
  try {
    process.kill(-Number(pid), 'SIGKILL')
  } catch {
    // Every process of it has ended.
  }
}

/** Resolves with the process that serves a folder, once it is none of these. */
export async function holderBut(dataDir: string, ...others: number[]): Promise<number> {
  for (;;) {
    const pid = await lockHolder(dataDir)
    if (pid !== undefined && !others.includes(pid)) return pid
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
