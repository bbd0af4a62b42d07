// The `failCommand` failpoint, for tests: makes chosen commands fail, hang or lose their connection.
import type { Doc, Value } from '../bson/value.ts'
import type { CommandError, ErrorLabel } from '../errors.ts'
import { codeNameOf, commandError, commandErrorByNumber } from '../errors.ts'
import {
  anything,
  array,
  boolean,
  count,
  document,
  GENERIC_ARGUMENTS,
  integer,
  readFields,
  string
} from './fields.ts'
import type { WriteConcernError } from './generic-arguments.ts'

/** What a failpoint does to one command. */
export interface Failure {
  readonly blockMs: number
  readonly closeConnection: boolean
  readonly error: CommandError | undefined
  readonly writeConcernError: WriteConcernError | undefined
  /** Replaces the labels that the error would have; undefined leaves them. */
  readonly labels: readonly ErrorLabel[] | undefined
}

/** Whom a command comes from and what it is. */
export interface Target {
  readonly command: string
  readonly appName: string | undefined
}

interface FailPoint {
  remaining: number
  readonly skip: { count: number }
  readonly commands: ReadonlySet<string>
  readonly appName: string | undefined
  readonly failure: Failure
}

const DATA = {
  failCommands: array,
  errorCode: integer,
  closeConnection: boolean,
  errorLabels: array,
  writeConcernError: document,
  appName: string,
  blockConnection: boolean,
  blockTimeMS: count,
  errorExtraInfo: document,
  failInternalCommands: boolean
}
const MODE = { times: count, skip: count }
const COMMAND = { configureFailPoint: string, mode: anything, data: document }
const NAME = 'failCommand'

/** The failpoints that are switched on. */
export class FailPoints {
  #failPoint: FailPoint | undefined
  #entered = 0

  /** Switches on or off; answers how often it struck before. */
  configure(body: Doc): number {
    const fields = readFields('configureFailPoint', body, COMMAND, (name) =>
      GENERIC_ARGUMENTS.has(name)
    )
    if (fields.configureFailPoint !== NAME) {
      throw commandError('BadValue', `failpoint '${fields.configureFailPoint}' is not known`)
    }
    const times = readMode(fields.mode)
    this.#failPoint =
      times.remaining === 0 ? undefined : readFailPoint(fields.data ?? new Map(), times)
    return this.#entered
  }

  /** What must happen to this command; each answer counts as one strike. */
  strike({ command, appName }: Target): Failure | undefined {
    const failPoint = this.#failPoint
    if (!failPoint?.commands.has(command)) return undefined
    if (failPoint.appName !== undefined && failPoint.appName !== appName) return undefined
    if (failPoint.skip.count > 0) {
      failPoint.skip.count--
      return undefined
    }
    this.#entered++
    if (--failPoint.remaining <= 0) this.#failPoint = undefined
    return failPoint.failure
  }
}

interface Times {
  readonly remaining: number
  readonly skip: number
}

function readMode(mode: Value): Times {
  if (mode === 'off') return { remaining: 0, skip: 0 }
  if (mode === 'alwaysOn') return { remaining: Number.POSITIVE_INFINITY, skip: 0 }
  const { times, skip } = readFields(
    'configureFailPoint.mode',
    document.read(mode, 'configureFailPoint.mode'),
    MODE
  )
  return { remaining: times ?? Number.POSITIVE_INFINITY, skip: skip ?? 0 }
}

function readFailPoint(data: Doc, times: Times): FailPoint {
  const fields = readFields('configureFailPoint.data', data, DATA)
  const labels = fields.errorLabels?.map((label) => string.read(label, 'errorLabels') as ErrorLabel)
  const commands = fields.failCommands?.map((name) => string.read(name, 'failCommands')) ?? []
  return {
    remaining: times.remaining,
    skip: { count: times.skip },
    commands: new Set(commands),
    appName: fields.appName,
    failure: {
      blockMs: fields.blockConnection ? (fields.blockTimeMS ?? 0) : 0,
      closeConnection: fields.closeConnection ?? false,
      error:
        fields.errorCode === undefined
          ? undefined
          : commandErrorByNumber(fields.errorCode, "Failing command via 'failCommand' failpoint"),
      writeConcernError: fields.writeConcernError && readError(fields.writeConcernError),
      labels
    }
  }
}

const ERROR = {
  code: integer,
  codeName: string,
  errmsg: string,
  errInfo: document,
  errorLabels: array
}

function readError(doc: Doc): WriteConcernError {
  const fields = readFields('writeConcernError', doc, ERROR)
  const code = fields.code ?? 0
  return {
    code,
    codeName: fields.codeName ?? codeNameOf(code),
    errmsg: fields.errmsg ?? '',
    ...(fields.errInfo && { errInfo: fields.errInfo })
  }
}
