// The command line: finds the command, runs it, prints its answer and names the exit code.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { environmentOf, KeelsonError } from '@keelson/sdk'
import { KERNEL_API } from '../manifest/check.ts'
import {
  type Command,
  type CommandContext,
  findCommand,
  type Invocation,
  readInvocation,
  readUnknown
} from './command.ts'
import { apply } from './commands/apply.ts'
import { build } from './commands/build.ts'
import { check } from './commands/check.ts'
import { create } from './commands/create.ts'
import { dev } from './commands/dev.ts'
import { doctor } from './commands/doctor.ts'
import { jobRun } from './commands/job-run.ts'
import { move } from './commands/move.ts'
import { plan } from './commands/plan.ts'
import { purge } from './commands/purge.ts'
import { secrets } from './commands/secrets.ts'
import { serve } from './commands/serve.ts'
import { disable, enable } from './commands/switch.ts'
import { findPluginCommands } from './plugin-commands.ts'

/** The part of `process` that the command line uses. */
export interface Terminal {
  cwd(): string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
  once(signal: 'SIGINT' | 'SIGTERM', act: () => void): unknown
  removeListener(signal: 'SIGINT' | 'SIGTERM', act: () => void): unknown
}

const DONE = 0
const FAILED = 1
const WRONG_USE = 2

const OWN: readonly Command[] = [
  plan,
  apply,
  purge,
  secrets,
  check,
  create,
  build,
  dev,
  doctor,
  jobRun,
  move,
  serve,
  enable,
  disable
]

/** Runs one command line and resolves with the exit code: 0 done, 1 failed, 2 wrong use. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  const invocation = await invocationOf(argv, terminal)
  switch (invocation.kind) {
    case 'help':
      terminal.stdout.write(`${invocation.text}\n`)
      return DONE
    case 'wrong':
      terminal.stderr.write(`${invocation.message}\n\n${invocation.text}\n`)
      return WRONG_USE
    case 'run':
      return run(invocation, terminal)
  }
}

const placeOf = (terminal: Terminal) => ({
  cwd: terminal.cwd(),
  env: environmentOf(terminal.env),
  note: (text: string) => void terminal.stderr.write(`${text}\n`)
})

/** `keelson 0.1.0 (kernel API 1.0.0, Node 22.18.0)` */
function versionText(): string {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
  return `keelson ${version} (kernel API ${KERNEL_API}, Node ${process.versions.node})`
}

async function invocationOf(argv: readonly string[], terminal: Terminal): Promise<Invocation> {
  if (argv[0] === '--version') return { kind: 'help', text: versionText() }
  const own = findCommand(argv, OWN)
  if (own !== undefined) return readInvocation(argv, own)
  // Only now is the config read: the kernel's own commands must work without one.
  const { commands, problem } = await findPluginCommands(placeOf(terminal))
  const found = findCommand(argv, commands)
  if (found !== undefined) return readInvocation(argv, found)
  const invocation = readUnknown(argv, [...OWN, ...commands])
  if (problem === undefined || invocation.kind !== 'wrong') return invocation
  return { ...invocation, message: `${invocation.message}\n${problem}` }
}

async function run(
  { command, call, isJson }: Extract<Invocation, { kind: 'run' }>,
  terminal: Terminal
): Promise<number> {
  const say = (text: string, json: unknown) => {
    const line = isJson ? JSON.stringify(json) : text
    if (line !== '') terminal.stdout.write(`${line}\n`)
  }
  const controller = new AbortController()
  const ask = (question: string) => answerTo(question, terminal, controller.signal)
  const context: CommandContext = { ...placeOf(terminal), isJson, say, ask }
  const stop = () => controller.abort(new Error('stopped'))
  terminal.once('SIGINT', stop)
  terminal.once('SIGTERM', stop)
  try {
    const answer = await command.run(context, { ...call, signal: controller.signal })
    if ('wrongUse' in answer) {
      terminal.stderr.write(`${answer.wrongUse}\nSee keelson ${command.name} --help.\n`)
      return WRONG_USE
    }
    say(answer.text, answer.json)
    return answer.failed === true ? FAILED : DONE
  } catch (error) {
    report(error, isJson, terminal)
    return FAILED
  } finally {
    terminal.removeListener('SIGINT', stop)
    terminal.removeListener('SIGTERM', stop)
  }
}

/** The question goes to stderr: stdout holds the answer of the command alone. */
async function answerTo(
  question: string,
  { stdin, stderr }: Terminal,
  signal: AbortSignal
): Promise<string | undefined> {
  stderr.write(question)
  const lines = createInterface({ input: stdin, signal })
  try {
    for await (const line of lines) return line.trim()
    return undefined
  } finally {
    lines.close()
  }
}

function report(error: unknown, isJson: boolean, terminal: Terminal): void {
  const message = error instanceof Error ? error.message : String(error)
  terminal.stderr.write(`${message}\n`)
  if (!isJson) return
  const { code, remedy, plugin } = KeelsonError.is(error)
    ? error
    : { code: 'KRN_FAILED', remedy: undefined, plugin: undefined }
  terminal.stdout.write(`${JSON.stringify({ error: { code, plugin, message, remedy } })}\n`)
}
