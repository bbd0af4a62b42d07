// The options that a host registers the kernel with: known by name, and of the right type.
import { nameHint } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import type { KernelOptions } from './kernel.ts'

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isObject: Check = (value) => typeof value === 'object' && value !== null

const OPTIONS: Readonly<Record<keyof KernelOptions, readonly [reason: string, check: Check]>> = {
  config: ['must be a path or an object', (value) => isText(value) || isObject(value)],
  plugins: ['must be a list of plugins', Array.isArray],
  resolveViewer: [
    'must be a function that answers who is signed in',
    (value) => typeof value === 'function'
  ],
  role: ['must be all, web or worker', isText],
  prefix: ['must be a path like /platform', isText],
  listenHost: ['must be a name or an address', isText],
  signal: ['must be an AbortSignal', (value) => value instanceof AbortSignal]
}

/** What Fastify takes of the options of every plugin. */
const OF_FASTIFY = new Set(['logLevel', 'logSerializers', 'encapsulate', 'name'])

/** @throws KRN_OPTION_UNKNOWN, KRN_OPTION_INVALID */
export function checkOptions(options: object): void {
  const names = Object.keys(OPTIONS)
  for (const [option, value] of Object.entries(options)) {
    if (value === undefined || OF_FASTIFY.has(option)) continue
    const known = Object.hasOwn(OPTIONS, option)
      ? OPTIONS[option as keyof KernelOptions]
      : undefined
    if (known === undefined) {
      throw errors.KRN_OPTION_UNKNOWN({ option, hint: nameHint(option, names) })
    }
    const [reason, check] = known
    if (!check(value)) throw errors.KRN_OPTION_INVALID({ option, reason })
  }
}
