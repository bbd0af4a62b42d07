// What the kernel relies on in pino: one hook, found on every logger, sees each line.
import Fastify, { type FastifyBaseLogger, type FastifyRequest } from 'fastify'
import pino from 'pino'
import { test } from 'tap'
import { changeField, changeLines } from './pino-lines.ts'

const upper = (line: string) => line.toUpperCase()

function logger(options: pino.LoggerOptions = {}) {
  const lines: string[] = []
  const log: FastifyBaseLogger = pino(options, { write: (line) => lines.push(line) })
  return { log, lines }
}

test('lines of a logger, and of children made before and after, pass through the change', async (t) => {
  const { log, lines } = logger()
  const early = log.child({ early: true })
  changeLines(log, upper)
  log.info('own')
  early.info('early')
  log.child({}).info('late')
  t.same(
    lines.map((line) => /"MSG":"(\w+)"/.exec(line)?.[1]),
    ['OWN', 'EARLY', 'LATE']
  )
})

test('the logger that Fastify makes is changed, with the lines of its requests', async (t) => {
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
  t.teardown(() => app.close())
  changeLines(app.log, upper)
  app.get('/', async (request) => void request.log.info('handled'))
  await app.inject('/')
  t.match(lines.join(''), 'HANDLED')
  t.notMatch(lines.join(''), 'request completed')
})

test('other loggers of the process are not changed', async (t) => {
  const { log } = logger()
  const other = logger()
  changeLines(log, upper)
  other.log.info('plain')
  t.match(other.lines.join(''), 'plain')
})

test('the change can be undone', async (t) => {
  const { log, lines } = logger()
  changeLines(log, upper)()
  log.info('plain')
  t.match(lines.join(''), 'plain')
})

test('a hook of the host still runs, before the change', async (t) => {
  const hooks = { streamWrite: (line: string) => line.replace('one', 'two') }
  const { log, lines } = logger({ hooks })
  changeLines(log, upper)
  log.info('one')
  t.match(lines.join(''), 'TWO')
})

test('a field of the lines of a logger and its children is changed, and it can be undone', async (t) => {
  const { log, lines } = logger({ serializers: { req: (value) => `${value}?` } })
  const other = logger({ serializers: { req: (value) => `${value}?` } })
  const undo = changeField(log, 'req', (written, value) => `${written} of ${value}`)
  log.info({ req: 'a', more: 'b' })
  log.child({}).info({ req: 'c' })
  other.log.info({ req: 'd' })
  undo()
  log.info({ req: 'e' })
  t.same(
    [...lines, ...other.lines].map((line) => JSON.parse(line).req),
    ['a? of a', 'c? of c', 'e?', 'd?']
  )
})

test('the lines of requests that Fastify writes have the field, with the request and its route', async (t) => {
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
  t.teardown(() => app.close())
  changeField(app.log, 'req', (_written, value) => (value as FastifyRequest).routeOptions.url)
  app.get('/of/:name', async () => ({}))
  await app.inject('/of/ann')
  t.match(lines[0] ?? '', '"req":"/of/:name"')
})
