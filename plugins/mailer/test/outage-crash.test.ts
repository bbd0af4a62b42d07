// A provider that is away for eight minutes, and kill -9 of the sending process meanwhile: each mail arrives once, urgent ones first.
// Runs beside the others: it waits for much of its time.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { databaseUri } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { openBench, people } from '../campaigns/broadcasts/test/broadcast-bench.ts'
import { queueSends } from '../delivery/sends/queue-sends.ts'
import { kill } from './killed-process.ts'
import { newSend } from './recording-sends.ts'

const WORKER = fileURLToPath(new URL('./outage-worker.js', import.meta.url))
const RECIPIENTS = 310
const RECEIPTS = 5
const SECOND = 1000
/** Longer than any lease. */
const LEASES_OVER = 61 * SECOND

/** A server for mails that can be away: its connections are refused then. */
async function openSink(t: Test) {
  const arrived: string[] = []
  const messageIds = new Set<unknown>()
  const server: Server = createServer(async (request, response) => {
    const { messageid } = request.headers
    if (request.method === 'GET') return response.end(messageIds.has(messageid) ? 'there' : '')
    let to = ''
    for await (const chunk of request) to += chunk
    arrived.push(to)
    messageIds.add(messageid)
    return response.end('ok')
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  server.close()
  t.teardown(() => void server.close())
  return { arrived, url: `http://127.0.0.1:${port}`, comeBack: () => listen(port) }
}

/** The clock of a process, which it prints with each tick. */
function clockOf(child: ChildProcess, from: number) {
  let at = from
  let look = () => {}
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    at = Number(line)
    look()
  })
  return {
    now: () => at,
    until: (time: number) =>
      new Promise<void>((resolve) => {
        look = () => {
          if (at >= time) resolve()
        }
        look()
      })
  }
}

test('mails of a broadcast and receipts outlive an outage of eight minutes and two kills', {
  timeout: 300_000
}, async (t) => {
  const all = people(RECIPIENTS + RECEIPTS)
  const cast = all.slice(0, RECIPIENTS)
  const bench = await openBench(t, { contacts: cast })
  await bench.schedule()
  const { arrived, url, comeBack } = await openSink(t)
  const uri = await databaseUri()
  const folder = t.testdir({})
  const begin = (now: number) => {
    const args = [WORKER, uri, bench.db.databaseName, url, `${now}`, folder, `${all.length}`]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    t.teardown(() => kill(child))
    return { child, clock: clockOf(child, now) }
  }
  const offAt = bench.context.clock.now().getTime()

  const first = begin(offAt)
  await first.clock.until(offAt + 60 * SECOND)
  const receipts = all.slice(RECIPIENTS)
  await queueSends(
    bench.context,
    receipts.map(({ externalId }) => newSend(externalId))
  )
  await first.clock.until(offAt + 150 * SECOND)
  await kill(first.child)
  const second = begin(first.clock.now() + LEASES_OVER)
  await second.clock.until(offAt + 350 * SECOND)
  await kill(second.child)
  const third = begin(second.clock.now() + LEASES_OVER)
  await third.clock.until(offAt + 480 * SECOND)
  t.same(arrived, [], 'nothing arrives while it is away')
  await comeBack()
  await once(third.child, 'close')
  t.equal(third.child.exitCode, 0, 'the last process ends it')

  t.same(arrived.toSorted(), all.map(({ email }) => email).toSorted(), 'each arrives once')
  const rows = await bench.context.collections.sends.find().toArray()
  t.equal(rows.length, all.length)
  t.same(
    rows.filter(({ status }) => status !== 'sent'),
    [],
    'the ledger agrees'
  )
  // A kill may fall into a probe: its mail is looked up first, and goes a minute later.
  const doubted = rows.flatMap(({ attempt, emailAtSend }) =>
    attempt?.number === 1 ? [] : emailAtSend
  )
  t.ok(doubted.length <= 2, 'a kill leaves its probe in doubt, and no more')
  const urgent = receipts.map(({ email }) => email).filter((email) => !doubted.includes(email))
  const order = arrived.filter((email) => !doubted.includes(email))
  t.same(order.slice(0, urgent.length).toSorted(), urgent, 'receipts arrive first')
  t.comment(`${doubted.length} in doubt; back after ${third.clock.now() - offAt} ms`)
})
