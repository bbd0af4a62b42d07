// Commands for operators and tests: what runs, who is connected, parameters, failpoints.
import { Int32 } from 'bson'
import type { Doc, Value } from '../bson/value.ts'
import { isDoc } from '../bson/value.ts'
import { filtered } from '../engine/filtered.ts'
import { commandError } from '../errors.ts'
import { parseFilter } from '../query/filter.ts'
import { SESSION_TIMEOUT_MINUTES } from '../sessions/session-registry.ts'
import { VERSION } from './build-info.ts'
import type { Call, Command } from './command.ts'
import { answer } from './command.ts'
import { listCurrentOperations } from './current-operations.ts'
import { boolean, GENERIC_ARGUMENTS, integer, readCommand, required } from './fields.ts'

const connectionStatus: Command = {
  name: 'connectionStatus',
  isSessionless: true,
  async run(call) {
    readCommand(call, { showPrivileges: boolean })
    const info: Doc = new Map([
      ['authenticatedUsers', []],
      ['authenticatedUserRoles', []]
    ])
    return answer(['authInfo', info])
  }
}

/** The parameters that stay as they are. */
const FIXED: ReadonlyMap<string, Value> = new Map<string, Value>([
  [
    'featureCompatibilityVersion',
    new Map<string, Value>([['version', VERSION.split('.').slice(0, 2).join('.')]])
  ],
  ['enableTestCommands', false],
  ['localLogicalSessionTimeoutMinutes', new Int32(SESSION_TIMEOUT_MINUTES)],
  ['transactionLifetimeLimitSeconds', new Int32(60)],
  ['cursorTimeoutMillis', new Int32(600_000)]
])

const getParameter: Command = {
  name: 'getParameter',
  adminOnly: true,
  isSessionless: true,
  async run({ name, body, services }) {
    const asked = body.get(name)
    const wantsAll = asked === '*' || (isDoc(asked) && asked.get('allParameters') === true)
    const names = parameterNames(name, body).filter((field) => field !== 'allParameters')
    const parameters = [...FIXED, ...Object.entries(services.parameters)] as const
    const found = parameters.filter(([field]) => wantsAll || names.includes(field))
    if (found.length === 0) throw commandError('InvalidOptions', 'no option found to get')
    return answer(...found)
  }
}

/** Sets `ttlMonitorEnabled`, until the server ends; the other parameters are fixed. */
const setParameter: Command = {
  name: 'setParameter',
  adminOnly: true,
  isSessionless: true,
  async run(call) {
    const [field, ...others] = parameterNames(call.name, call.body)
    if (field === undefined) throw commandError('InvalidOptions', 'no option found to set')
    if (others.length > 0) throw commandError('InvalidOptions', 'one parameter a command is set')
    if (FIXED.has(field)) {
      throw commandError('IllegalOperation', `not allowed to change [${field}] at runtime`)
    }
    if (field !== 'ttlMonitorEnabled') {
      throw commandError('InvalidOptions', `attempted to set unrecognized parameter [${field}]`)
    }
    const { parameters } = call.services
    const was = parameters.ttlMonitorEnabled
    parameters.ttlMonitorEnabled = boolean.read(
      call.body.get(field) ?? null,
      `setParameter.${field}`
    )
    return answer(['was', was])
  }
}

const parameterNames = (command: string, body: Doc): string[] =>
  [...body.keys()].filter((field) => field !== command && !GENERIC_ARGUMENTS.has(field))

const currentOp: Command = {
  name: 'currentOp',
  adminOnly: true,
  async run(call) {
    const conditions = new Map(
      [...call.body].filter(
        ([field]) =>
          field !== call.name && !GENERIC_ARGUMENTS.has(field) && !CURRENT_OP_OPTIONS.has(field)
      )
    )
    const filter = parseFilter(conditions, {})
    const listed = listCurrentOperations(call.services, {
      idleConnections: call.body.get('$all') === true,
      idleSessions: true,
      idleCursors: false
    })
    return answer(['inprog', await filtered(listed, filter, call.context)])
  }
}

/** Options of `currentOp`; every other field is a condition on what is shown. */
const CURRENT_OP_OPTIONS: ReadonlySet<string> = new Set(['$all', '$ownOps', '$truncateOps'])

const killOp: Command = {
  name: 'killOp',
  adminOnly: true,
  async run(call) {
    const { op } = readCommand(call, { op: integer })
    call.services.operations.kill(required(op, 'killOp.op'))
    return answer(['info', 'attempting to kill op'])
  }
}

/** Only part of a server that was started for tests. */
const configureFailPoint: Command = {
  name: 'configureFailPoint',
  adminOnly: true,
  isSessionless: true,
  async run({ services, body }: Call) {
    if (!services.failPoints) {
      throw commandError('CommandNotFound', "no such command: 'configureFailPoint'")
    }
    return answer(['count', new Int32(services.failPoints.configure(body))])
  }
}

const whatsmyuri: Command = {
  name: 'whatsmyuri',
  isSessionless: true,
  run: async ({ client }) => answer(['you', client.name])
}

export const DIAGNOSTICS: readonly Command[] = [
  connectionStatus,
  getParameter,
  setParameter,
  currentOp,
  killOp,
  configureFailPoint,
  whatsmyuri
]
