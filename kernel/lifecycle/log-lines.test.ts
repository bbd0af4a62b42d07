// No secret reaches a log line.
import Fastify, { type FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { test } from 'tap'
import { createRedactor, redactError } from '../errors/redact.ts'
import { pluginLog, redactLines } from './log-lines.ts'

function logger() {
  const lines: string[] = []
  const log: FastifyBaseLogger = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') }
}

const none = { values: [], fields: [] }

test('a secret is struck out of a text, also as JSON and in an address', async (t) => {
  const redact = createRedactor(['a"b/c', 'longer a"b/c'])
  t.equal(redact('x a"b/c y longer a"b/c'), 'x [secret] y [secret]')
  t.equal(redact(JSON.stringify({ key: 'a"b/c' })), '{"key":"[secret]"}')
  t.equal(redact('?key=a%22b%2Fc'), '?key=[secret]')
})

test('without secrets, or with one too short to tell, a text stays as it is', async (t) => {
  t.equal(createRedactor([])('some text'), 'some text')
  t.equal(createRedactor(['om'])('some text'), 'some text')
})

test('every line of a logger and of its children is redacted', async (t) => {
  const { log, lines } = logger()
  const early = log.child({ early: true })
  redactLines(log, createRedactor(['s3cr3t']))
  log.info('the key is s3cr3t')
  log.child({ key: 's3cr3t' }).warn({ deep: { key: ['s3cr3t'] } }, 'told')
  early.error(new Error('failed with s3cr3t'))
  t.equal(lines.length, 3)
  t.notMatch(lines.join(''), 's3cr3t')
  t.match(lines.join(''), '[secret]')
})

test('other loggers of the process are not changed, and it can be undone', async (t) => {
  const { log, lines } = logger()
  const other = logger()
  const undo = redactLines(log, createRedactor(['s3cr3t']))
  other.log.info('s3cr3t')
  t.match(other.lines.join(''), 's3cr3t')
  undo()
  log.info('s3cr3t')
  t.match(lines.join(''), 's3cr3t')
})

test('a hook that was there before still runs', async (t) => {
  const lines: string[] = []
  const hooks = { streamWrite: (line: string) => line.replace('one', 'two') }
  const log: FastifyBaseLogger = pino({ hooks }, { write: (line) => lines.push(line) })
  redactLines(log, createRedactor(['s3cr3t']))
  log.info('one s3cr3t')
  t.match(lines.join(''), 'two [secret]')
})

test('a logger that is not pino is left alone', async (t) => {
  const { log } = Fastify()
  t.doesNotThrow(redactLines(log, createRedactor(['s3cr3t'])))
})

test('the lines of a plugin carry its id', async (t) => {
  const { log, last } = logger()
  pluginLog(log, 'alpha', none).info('said')
  t.match(last(), { plugin: 'alpha', msg: 'said' })
})

test('secret fields are struck out wherever they stand, however short their value', async (t) => {
  const { log, last } = logger()
  const own = pluginLog(log, 'alpha', { values: ['x'], fields: ['apiKey', 'pass-word'] })
  own.info({ apiKey: 'x', config: { apiKey: 'x', 'pass-word': 'y', name: 'z' } }, 'said')
  t.match(last(), {
    apiKey: '[secret]',
    config: { apiKey: '[secret]', 'pass-word': '[secret]', name: 'z' }
  })
})

test('a secret number is struck out by itself, and the line stays JSON', async (t) => {
  const { log, lines, last } = logger()
  redactLines(log, createRedactor(['4711']))
  log.info({ pin: 4711, at: 1_764_711_000, list: [4711] }, 'pin:4711,')
  t.match(last(), { pin: '[secret]', at: 1_764_711_000, list: ['[secret]'], msg: 'pin:[secret],' })
  t.equal(lines.length, 1)
})

test('an error is copied without the secrets of its message, stack, details and cause', async (t) => {
  const redact = createRedactor(['s3cr3t'])
  const good = new TypeError('fine')
  t.equal(redactError(good, redact), good)
  const cause = Object.assign(new Error('told s3cr3t'), {
    code: 'E_TOLD',
    headers: { k: 's3cr3t' }
  })
  const copy = redactError(new TypeError('s3cr3t', { cause }), redact)
  t.ok(copy instanceof TypeError)
  t.match(copy, { message: '[secret]', cause: { code: 'E_TOLD', headers: { k: '[secret]' } } })
  t.notMatch(`${(copy as Error).stack} ${(copy as Error & { cause: Error }).cause.stack}`, 's3cr3t')
  t.match(cause.message, 's3cr3t')
})
