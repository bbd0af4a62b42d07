// The command `local-mongo`: serves a data folder until it is told to stop.
import process from 'node:process'
import type { LogEvent } from './commands/log.ts'
import type { Compacted } from './engine/compact.ts'
import type { CheckReport } from './engine.ts'
import { EXIT_USAGE } from './lifecycle/exit-codes.ts'
import type { Invocation, ServeOptions } from './lifecycle/options.ts'
import { isSupervised, readInvocation, USAGE } from './lifecycle/options.ts'
import { supervise } from './lifecycle/supervise.ts'
import type { Tended } from './lifecycle/tend.ts'

function log(event: LogEvent): void {
  if (event.level === 'info' && process.env['LOCAL_MONGO_LOG'] !== 'info') return
  console.error(JSON.stringify({ time: new Date().toISOString(), ...event }))
}

function onReady(uri: string): void {
  console.log(JSON.stringify({ uri, pid: process.pid }))
}

async function runServer(options: ServeOptions): Promise<number> {
  const { serve } = await import('./lifecycle/serve.ts')
  const served = await serve(options, log, process.env)
  if (served.kind === 'refused') {
    console.error(`local-mongo: ${served.reason}`)
    return served.exitCode
  }
  const { running } = served
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      running.end().catch(fail)
    })
  }
  if (options.untilStdinEnds) {
    process.stdin.once('close', () => running.close().catch(fail))
    process.stdin.resume()
  }
  onReady(running.uri)
  await running.ended
  return 0
}

function report(tended: Tended<CheckReport | Compacted | string>): number {
  if (tended.kind === 'refused') {
    console.error(`local-mongo: ${tended.reason}`)
    return tended.exitCode
  }
  console.log(JSON.stringify(tended.value))
  const { value } = tended
  return typeof value === 'object' && 'ok' in value && !value.ok ? 1 : 0
}

async function main(): Promise<number> {
  const invocation = readInvocation(process.argv.slice(2))
  switch (invocation.kind) {
    case 'serve':
      // The reader of the ready line may be gone already.
      process.stdout.on('error', () => {})
      return isSupervised(invocation.options)
        ? supervise(process.argv.slice(2), { onReady, log })
        : runServer(invocation.options)
    case 'help':
      console.log(USAGE)
      return 0
    case 'wrong':
      console.error(`local-mongo: ${invocation.reason}\n\n${USAGE}`)
      return EXIT_USAGE
    default:
      return report(await tend(invocation))
  }
}

type Tending = Extract<Invocation, { readonly kind: 'check' | 'compact' | 'backup' | 'restore' }>

async function tend(invocation: Tending): Promise<Tended<CheckReport | Compacted | string>> {
  const { dataDir } = invocation
  const { backupFolder, checkFolder, compactFolder, restoreFolder } = await import(
    './lifecycle/tend.ts'
  )
  switch (invocation.kind) {
    case 'check':
      return checkFolder(dataDir)
    case 'compact':
      return compactFolder(dataDir)
    case 'backup':
      return backupFolder(dataDir, invocation.target)
    case 'restore':
      return restoreFolder(dataDir, invocation.source)
  }
}

function fail(error: unknown): void {
  console.error(`local-mongo: ${error instanceof Error ? (error.stack ?? error.message) : error}`)
  process.exit(1)
}

main().then((code) => process.exit(code), fail)
