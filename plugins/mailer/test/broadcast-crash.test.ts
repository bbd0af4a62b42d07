// kill -9 of the sending process and of the engine during a broadcast: the sink and the ledger agree afterwards.
// Runs beside the others: it waits for much of its time.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { readBroadcast } from '../campaigns/broadcasts/read-broadcasts.ts'
import { openBench, people } from '../campaigns/broadcasts/test/broadcast-bench.ts'
import { groupedBy } from '../ledger/grouped-by.ts'
import type { SendRow } from '../ledger/send-row.ts'
import { kill, killedProcesses, ROUND_MS } from './killed-process.ts'

const WORKER = fileURLToPath(new URL('./broadcast-crash-worker.js', import.meta.url))
const RECIPIENTS = 1200
const KILLS = 6
/** The rounds in which the engine is killed before the process is. */
const ENGINE_KILLS = [2, 4]
/** Hand-overs at a time: what was recorded ahead and had not left is sent by the next process. */
const MOST_OPEN = 5
/** The first kills fall into enqueueing and claims, the others anywhere into sending. */
function stepsOf(round: number): number {
  return 1 + Math.floor(Math.random() * (round < 2 ? 25 : 300))
}
const isForeign = (process.env['MONGODB_URI'] ?? '') !== ''

test('a broadcast whose process and engine are killed again and again mails each contact once', {
  skip: isForeign,
  timeout: 300_000
}, async (t) => {
  const bench = await openBench(t, { contacts: people(RECIPIENTS) })
  const { _id } = await bench.schedule()
  const { databaseName } = bench.db
  const args = [`${RECIPIENTS}`, t.testdir({})]
  const { start, after, mails } = await killedProcesses(t, WORKER, { database: databaseName, args })
  const startedAt = Date.now()
  for (let round = 0; round < KILLS; round++) {
    const reached = after(stepsOf(round))
    const child = start(round)
    const closed = once(child, 'close')
    await Promise.race([reached, closed])
    if (ENGINE_KILLS.includes(round)) {
      const { pid } = await bench.db.command({ serverStatus: 1 })
      process.kill(Number(pid), 'SIGKILL')
      await Promise.race([after(20), closed])
    }
    await kill(child)
  }
  const last = start(KILLS)
  await once(last, 'close')
  t.equal(last.exitCode, 0, 'the last process ends it')

  const rows = await bench.context.collections.sends.find({ broadcastId: _id }).toArray()
  t.equal(rows.length, RECIPIENTS, 'the ledger has a row for every contact')
  t.equal(new Set(rows.map(({ externalId }) => externalId)).size, RECIPIENTS)
  t.same(
    [...mails.values()].filter((count) => count > 1),
    [],
    'no contact is mailed twice'
  )
  const statusOf = new Map(rows.map(({ emailAtSend, status }) => [emailAtSend, status]))
  const unmailed = rows.filter(({ emailAtSend }) => !mails.has(emailAtSend ?? ''))
  t.same(
    unmailed.filter(({ status }) => status !== 'unknown'),
    [],
    'a contact without a mail is listed as unknown'
  )
  const odd = [...mails.keys()].filter(
    (to) => !['sent', 'unknown'].includes(statusOf.get(to) ?? '')
  )
  t.same(odd, [], 'a mail that left is sent or unknown in the ledger')
  const roundOf = ({ attempt }: SendRow) =>
    `${Math.floor(((attempt?.at.getTime() ?? 0) - startedAt) / ROUND_MS)}`
  const lost = groupedBy(
    rows.filter(({ status }) => status === 'unknown'),
    roundOf
  )
  const tooMany = [...lost].filter(([, { length }]) => length > MOST_OPEN)
  t.same(tooMany, [], 'a kill leaves no more mails unknown than were open')
  const detail = await readBroadcast(bench.context, 'cast')
  t.match(detail, { broadcast: { status: 'sent', queuedCount: RECIPIENTS } })
  const { sent = 0, unknown = 0 } = detail?.statusBreakdown ?? {}
  t.equal(sent + unknown, RECIPIENTS)
  t.ok(sent > 0, 'mails of batches that ended are sent')
  t.comment([...lost].map(([round, { length }]) => `${round}: ${length}`).join(', '))
  t.comment(`${sent} sent, ${unknown} unknown, ${unmailed.length} of them did not arrive`)
})
