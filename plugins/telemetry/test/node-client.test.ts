// The client for servers: context, disk queue, retries, shutdown.
// Runs beside the others: it waits for much of its time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { errorDetails } from '../clients/error-details.ts'
import { createNodeTelemetry, type NodeOptions } from '../clients/node/index.ts'
import { pauseMs, verdictOf } from '../clients/pace.ts'
import type { ClientRecord } from '../clients/record.ts'

interface Sent {
  readonly records: readonly ClientRecord[]
  readonly head: Readonly<Record<string, unknown>>
  readonly authorization: string | undefined
}

interface Answer {
  readonly status: number
  readonly retryAfter?: string
  readonly body?: object
}

/** An ingest address that answers as told, then 202. */
async function openServer(t: Test) {
  const sent: Sent[] = []
  const answers: Answer[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { records, ...head } = JSON.parse(Buffer.concat(chunks).toString()) as {
      records: ClientRecord[]
    }
    sent.push({ records, head, authorization: request.headers.authorization })
    const { status, retryAfter, body = {} } = answers.shift() ?? { status: 202 }
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
    response.statusCode = status
    response.end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}/ingest`,
    sent,
    answers,
    close: () => server.closeAllConnections()
  }
}

async function folder(t: Test): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'telemetry-queue-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

function client(t: Test, options: Partial<NodeOptions> & { url: string }) {
  const made = createNodeTelemetry({ key: 'sk_x', flushMs: 600_000, ...options })
  t.teardown(() => made.close({ timeoutMs: 0 }))
  return made
}

test('records carry what is known where the code runs', async (t) => {
  const { url, sent } = await openServer(t)
  const telemetry = client(t, { url, release: 'api@2', tenantId: 'acme' })
  await telemetry.run({ subjects: [{ type: 'user', id: 'u1' }], actor: 'admin:a' }, async () => {
    await telemetry.span('job', async () => {
      telemetry.track('order.placed', { subjects: [{ type: 'order', id: 'o1' }] })
      await telemetry.span('step', () => telemetry.captureError(new RangeError('x')))
    })
  })
  telemetry.track('alone')
  await telemetry.flush()
  const [batch] = sent
  t.match(batch, {
    authorization: 'Bearer sk_x',
    head: {
      release: 'api@2',
      context: { tenantId: 'acme' },
      client: { platform: 'server', appVersion: 'api@2' },
      sentAt: Number
    }
  })
  const [order, error, step, job, alone] = batch?.records ?? []
  t.same(order?.subjects, [
    { type: 'user', id: 'u1' },
    { type: 'order', id: 'o1' }
  ])
  t.match(order, { actor: 'admin:a', traceId: job?.traceId, spanId: job?.spanId })
  t.match(error, {
    name: 'app.error',
    traceId: job?.traceId,
    spanId: step?.spanId,
    error: { type: 'RangeError', handled: true }
  })
  t.match(step, { parentId: job?.spanId, durationMs: Number })
  t.equal(job?.parentId, undefined)
  t.same([alone?.traceId, alone?.subjects], [undefined, []])
})

test('a trace comes in and goes out by traceparent', async (t) => {
  const { url, sent } = await openServer(t)
  const telemetry = client(t, { url })
  const trace = 'a'.repeat(32)
  await telemetry.continueTrace(`00-${trace}-${'b'.repeat(16)}-01`, () =>
    telemetry.span('handle', (span) => {
      t.equal(telemetry.traceparent(), `00-${trace}-${span.spanId}-01`)
    })
  )
  telemetry.continueTrace(`00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, () => {
    t.equal(telemetry.traceparent(), undefined)
  })
  telemetry.continueTrace('nonsense', () => t.equal(telemetry.traceparent(), undefined))
  await t.rejects(
    telemetry.span('fails', () => Promise.reject(new Error('no'))),
    { message: 'no' }
  )
  await telemetry.flush()
  t.match(sent[0]?.records, [
    { traceId: trace, parentId: 'b'.repeat(16) },
    { name: 'fails', severity: 'error' }
  ])
})

test('what is not taken is sent again with the same ids, not before the server asks', async (t) => {
  const { url, sent, answers } = await openServer(t)
  const telemetry = client(t, { url })
  answers.push({ status: 503, retryAfter: '1' })
  telemetry.track('a')
  await telemetry.flush()
  await telemetry.flush()
  t.equal(sent.length, 1)
  await telemetry.close()
  t.equal(sent.length, 2)
  t.same(sent[1]?.records, sent[0]?.records)
})

test('a batch that is too large is halved, one that is refused is reported and dropped', async (t) => {
  const { url, sent, answers } = await openServer(t)
  const problems: unknown[] = []
  const telemetry = client(t, { url, onError: (error) => problems.push(error) })
  answers.push({ status: 413 }, { status: 202 }, { status: 400 })
  for (const name of ['a', 'b', 'c', 'd']) telemetry.track(name)
  await telemetry.flush()
  t.same(
    sent.map(({ records }) => records.map(({ name }) => name).join('')),
    ['abcd', 'ab', 'cd']
  )
  t.match(problems, [{ message: /400 to 2 records/ }])
  await telemetry.flush()
  t.equal(sent.length, 3)
})

test('a batch has no more bytes than ingest takes', async (t) => {
  const { url, sent } = await openServer(t)
  const telemetry = client(t, { url })
  for (let n = 0; n < 99; n++) telemetry.track('app.error', { body: `${n} ${'é'.repeat(5000)}` })
  await telemetry.flush()
  t.ok(sent.length > 1)
  for (const { records } of sent) {
    t.ok(Buffer.byteLength(JSON.stringify(records)) <= 410_000)
  }
  t.equal(sent.flatMap(({ records }) => records).length, 99)
})

test('what ingest refuses of a batch that it takes is reported', async (t) => {
  const { url, answers } = await openServer(t)
  const problems: unknown[] = []
  const telemetry = client(t, { url, onError: (error) => problems.push(error) })
  answers.push({ status: 202, body: { accepted: 1, rejected: 2 } })
  for (const name of ['a', 'b', 'c']) telemetry.track(name)
  await telemetry.flush()
  t.match(problems, [{ message: 'ingest refused 2 of 3 records' }])
})

test('records outlive a revoked key, on disk too, and arrive when it is put right', async (t) => {
  const { url, sent, answers } = await openServer(t)
  const queueDir = await folder(t)
  const problems: unknown[] = []
  const telemetry = client(t, { url, queueDir, onError: (error) => problems.push(error) })
  answers.push({ status: 401 })
  telemetry.track('a')
  await telemetry.flush()
  t.equal((await readdir(queueDir)).length, 1)
  t.match(problems, [{ message: /refused the key \(401\): 1 records wait/ }])
  await telemetry.close()
  t.equal(sent.length, 2)
  t.same(sent[1]?.records, sent[0]?.records)
  t.equal((await readdir(queueDir)).length, 0)
})

test('a batch above the rate of the key goes in parts, none of them twice', async (t) => {
  const { url, sent, answers } = await openServer(t)
  const telemetry = client(t, { url })
  answers.push(
    { status: 429, body: { error: 'rate_limited', max: 2 } },
    { status: 202, body: { accepted: 2, rejected: 0 } },
    { status: 429, retryAfter: '1' },
    { status: 202, body: { accepted: 1, rejected: 1, overRate: 1 }, retryAfter: '1' }
  )
  for (const name of ['a', 'b', 'c', 'd']) telemetry.track(name)
  await telemetry.close()
  t.same(
    sent.map(({ records }) => records.map(({ name }) => name).join('')),
    ['abcd', 'ab', 'cd', 'cd', 'd']
  )
})

test('records outlive their process on disk, and the next one sends them once', async (t) => {
  const { url, sent } = await openServer(t)
  const queueDir = await folder(t)
  const script = `
    const { createNodeTelemetry } = await import(${JSON.stringify(new URL('../clients/node/index.js', import.meta.url).href)})
    const telemetry = createNodeTelemetry({ url: 'http://127.0.0.1:9/', key: 'sk_x', queueDir: ${JSON.stringify(queueDir)}, flushMs: 600000, captureUncaught: true })
    telemetry.track('one')
    await telemetry.flush()
    telemetry.track('two')
    throw new TypeError('the end')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  await once(child, 'exit')
  t.equal((await readdir(queueDir)).length, 2)
  const telemetry = client(t, { url, queueDir })
  await telemetry.flush()
  t.same(
    sent.flatMap(({ records }) => records.map(({ name }) => name)),
    ['one', 'two', 'app.error']
  )
  t.same(await readdir(queueDir), [])
})

test('a queue on disk is taken over from an earlier process that had the same number', async (t) => {
  const { url, sent } = await openServer(t)
  const queueDir = await folder(t)
  // As in a container, where each is number 1.
  const left = join(queueDir, `${Date.now() - 1000}-${process.pid}-00000001.json`)
  await writeFile(left, JSON.stringify([{ _id: 'x'.repeat(20), name: 'left' }]))
  const own = client(t, { url: 'http://127.0.0.1:9/', queueDir })
  own.track('own')
  await own.flush()
  const telemetry = client(t, { url, queueDir })
  await telemetry.flush()
  t.same(
    sent.flatMap(({ records }) => records.map(({ name }) => name)),
    ['left']
  )
  t.equal((await readdir(queueDir)).length, 1, 'what a living client of this process holds stays')
})

test('a queue on disk gives up what is old, broken or beyond its size, and says so', async (t) => {
  const { url, sent } = await openServer(t)
  const queueDir = await folder(t)
  const gone = 999_999
  const write = (at: number, name: string, text: string) =>
    writeFile(join(queueDir, `${at}-${gone}-${name}.json`), text)
  const now = Date.now()
  const record = (name: string) =>
    JSON.stringify([{ _id: 'x'.repeat(20), name, body: 'y'.repeat(200) }])
  await write(now - 8 * 86_400_000, '00000001', record('old'))
  await write(now - 3000, '00000002', '{ broken')
  await write(now - 2000, '00000003', record('dropped'))
  await write(now - 1000, '00000004', record('kept'))
  await writeFile(join(queueDir, 'notes.txt'), 'mine')
  const problems: unknown[] = []
  const telemetry = client(t, {
    url,
    queueDir,
    maxQueueBytes: 300,
    onError: (error) => problems.push(error)
  })
  await telemetry.flush()
  t.same(
    sent.flatMap(({ records }) => records.map(({ name }) => name)),
    ['kept']
  )
  t.same(await readdir(queueDir), ['notes.txt'])
  t.ok(problems.length > 0)
})

test('what left memory for the disk is sent when the server is back', async (t) => {
  const { url, sent, answers } = await openServer(t)
  const queueDir = await folder(t)
  const telemetry = client(t, { url, queueDir, maxQueued: 200 })
  answers.push({ status: 503, retryAfter: '2' })
  for (let round = 0; round < 5; round++) {
    for (let n = 0; n < 100; n++) telemetry.track(`${round}-${n}`)
    await telemetry.flush()
  }
  await telemetry.close({ timeoutMs: 60_000 })
  const taken = new Set(sent.flatMap(({ records }) => records.map(({ name }) => name)))
  t.equal(taken.size, 500)
  t.same(await readdir(queueDir), [])
})

test('a queue on disk keeps to its size as long as the server is away', async (t) => {
  const queueDir = await folder(t)
  const telemetry = client(t, { url: 'http://127.0.0.1:9/', queueDir, maxQueueBytes: 2000 })
  for (let n = 0; n < 20; n++) {
    telemetry.track(`${n}`, { body: 'y'.repeat(300) })
    await telemetry.flush()
  }
  const files = await readdir(queueDir)
  const texts = await Promise.all(files.map((file) => readFile(join(queueDir, file), 'utf8')))
  t.ok(files.length > 1 && texts.join('').length <= 2000, `${texts.join('').length} bytes`)
  t.match(texts.join(), /"name":"19"/)
})

test('a client that is closed in time leaves the rest on disk', async (t) => {
  const queueDir = await folder(t)
  const telemetry = client(t, { url: 'http://127.0.0.1:9/', queueDir })
  telemetry.track('left')
  await telemetry.flush()
  telemetry.track('behind')
  await telemetry.close({ timeoutMs: 20 })
  const files = await readdir(queueDir)
  const texts = await Promise.all(files.map((file) => readFile(join(queueDir, file), 'utf8')))
  t.match(texts.join(), /left/)
  t.match(texts.join(), /behind/)
})

test('memory is bounded; beforeSend changes, drops, and may throw', async (t) => {
  const { url, sent } = await openServer(t)
  const problems: unknown[] = []
  const telemetry = client(t, {
    url,
    maxQueued: 3,
    onError: (error) => problems.push(error),
    beforeSend(record) {
      if (record.name === 'bad') throw new Error('mine')
      return record.name === 'secret' ? null : { ...record, severity: 'warn' }
    }
  })
  for (const name of ['bad', 'secret', 'a', 'b', 'c', 'd']) telemetry.track(name)
  await telemetry.flush()
  t.match(sent[0]?.records, [{ name: 'b', severity: 'warn' }, { name: 'c' }, { name: 'd' }])
  t.equal(problems.length, 2)
})

test('pauses double with jitter, up to five minutes, and heed Retry-After', async (t) => {
  t.same(
    [1, 2, 3].map((failures) => pauseMs(failures, null, 1)),
    [1000, 2000, 4000]
  )
  t.equal(pauseMs(1, null, 0), 500)
  t.equal(pauseMs(40, null, 1), 300_000)
  t.equal(pauseMs(1, '30', 1), 30_000)
  t.equal(pauseMs(1, 'Wed, 21 Oct 2026 07:28:00 GMT', 1), 1000)
  t.same(
    [202, 413, 0, 408, 429, 503, 400, 401].map((status) => verdictOf(status)),
    ['taken', 'smaller', 'again', 'again', 'again', 'again', 'refused', 'again']
  )
})

test('frames are read from the stacks of every engine', async (t) => {
  const error = new TypeError('x')
  error.stack = [
    'TypeError: x',
    '    at fail (https://shop.example/app.js:10:5)',
    '    at https://shop.example/app.js:20:1',
    'run@https://shop.example/app.js:30:7',
    '@https://shop.example/app.js:40:8'
  ].join('\n')
  t.same(errorDetails(error, true).frames, [
    { filename: 'https://shop.example/app.js', fn: 'fail', lineno: 10, colno: 5 },
    { filename: 'https://shop.example/app.js', lineno: 20, colno: 1 },
    { filename: 'https://shop.example/app.js', fn: 'run', lineno: 30, colno: 7 },
    { filename: 'https://shop.example/app.js', lineno: 40, colno: 8 }
  ])
  t.same(errorDetails({ code: 5 }, false), {
    type: 'Error',
    message: '{"code":5}',
    handled: false,
    frames: []
  })
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  t.equal(errorDetails(circle, false).message, '[object Object]')
  t.equal(errorDetails(undefined, false).message, 'undefined')
})
