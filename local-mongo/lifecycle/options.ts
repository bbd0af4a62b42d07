// Reads the command line of `local-mongo`.

import { isIP } from 'node:net'
import { parseArgs } from 'node:util'

/** What the command line asks for. */
export type Invocation =
  | { readonly kind: 'serve'; readonly options: ServeOptions }
  | { readonly kind: 'check'; readonly dataDir: string }
  | { readonly kind: 'compact'; readonly dataDir: string }
  | { readonly kind: 'backup'; readonly dataDir: string; readonly target: string }
  | { readonly kind: 'restore'; readonly dataDir: string; readonly source: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly reason: string }

/** How to serve a data folder. */
export interface ServeOptions {
  readonly dataDir: string
  readonly listen:
    | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
    | { readonly kind: 'shared' }
  /** End when the process that started this one closes its end of stdin. */
  readonly untilStdinEnds: boolean
  /** The process that starts this one again when it dies; the data folder is that one's meanwhile. */
  readonly supervisor?: number
  /** A file with the password that clients must know; needed on any address but loopback. */
  readonly passwordFile: string | undefined
}

export const USAGE = `local-mongo --data DIR [--port N] [--host 127.0.0.1] [--password-file FILE]
local-mongo check --data DIR
local-mongo compact --data DIR
local-mongo backup --data DIR --to EMPTY_DIR
local-mongo restore --data EMPTY_DIR --from BACKUP_DIR

Serves a data folder over MongoDB's wire protocol, or looks after one.
Without --port a free port is taken. On any address that is not loopback a password is needed.`

const ARGUMENTS = {
  data: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  'password-file': { type: 'string' },
  shared: { type: 'boolean' },
  'until-stdin-ends': { type: 'boolean' },
  supervisor: { type: 'string' },
  to: { type: 'string' },
  from: { type: 'string' },
  help: { type: 'boolean', short: 'h' }
} as const

const wrong = (reason: string): Invocation => ({ kind: 'wrong', reason })

/** Reads the arguments after the program's name. Never throws. */
export function readInvocation(argv: readonly string[]): Invocation {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(argv)
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error))
  }
  const { values, positionals } = parsed
  if (values.help) return { kind: 'help' }
  const [verb, extra] = positionals
  if (extra !== undefined) return wrong(`'${extra}' is not understood`)
  if (values.data === undefined || values.data === '') return wrong('--data DIR is missing')
  const dataDir = values.data
  switch (verb) {
    case undefined:
      return readServe(dataDir, values)
    case 'check':
      return { kind: 'check', dataDir }
    case 'compact':
      return { kind: 'compact', dataDir }
    case 'backup':
      return values.to
        ? { kind: 'backup', dataDir, target: values.to }
        : wrong('--to DIR is missing')
    case 'restore':
      return values.from
        ? { kind: 'restore', dataDir, source: values.from }
        : wrong('--from DIR is missing')
    default:
      return wrong(`'${verb}' is not understood`)
  }
}

function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options: ARGUMENTS, allowPositionals: true })
}

function readServe(dataDir: string, values: ReturnType<typeof parse>['values']): Invocation {
  const passwordFile = values['password-file']
  const untilStdinEnds = values['until-stdin-ends'] ?? false
  if (values.shared) {
    return {
      kind: 'serve',
      options: { dataDir, listen: { kind: 'shared' }, passwordFile, untilStdinEnds }
    }
  }
  const host = values.host ?? '127.0.0.1'
  const port = values.port === undefined ? 0 : Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return wrong(`--port must be a number from 0 to 65535, not '${values.port}'`)
  }
  if (!isLoopback(host) && passwordFile === undefined) {
    return wrong(
      `${host} is not a loopback address such as 127.0.0.1; ` +
        'to listen there, give --password-file FILE with the password that clients must know'
    )
  }
  const listen = { kind: 'tcp', host: host === 'localhost' ? '127.0.0.1' : host, port } as const
  const supervisor =
    values.supervisor === undefined ? {} : { supervisor: Number(values.supervisor) }
  return {
    kind: 'serve',
    options: { dataDir, listen, passwordFile, untilStdinEnds, ...supervisor }
  }
}

/** Whether this process starts the server and watches it. Hosts that start one watch it themselves. */
export function isSupervised({ listen, untilStdinEnds }: ServeOptions): boolean {
  return listen.kind === 'tcp' && !untilStdinEnds
}

/** Whether an address can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true
  return isIP(host) === 4 && host.startsWith('127.')
}
