// A DMARC report of 100,000 records, uploaded to a host: seconds until it is stored, the longest time that the host's
// event loop answers nothing meanwhile, and the processor time of that turn, which other processes do not lengthen.
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import dmarc from '@keelson/dmarc'
import { createMailerStandIn } from '@keelson/mailer/testing'
import { createTestHost } from '@keelson/sdk/testing'
import { reportForm } from './dmarc-reports.ts'
import { printFigure } from './measure.ts'

const RECORDS = 100_000
const RESOLUTION_MS = 5

const host = await createTestHost({
  plugin: dmarc,
  plugins: [createMailerStandIn().plugin],
  viewer: { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' },
  config: { dnsServers: '', adminTenants: ['acme'] }
})
/** Processor time of this thread, ms. The kernel of Linux has it. */
const threadMs = () =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** The most processor time between two turns of a timer. @returns how to end it */
function watchTurns(): () => number {
  let longest = 0
  let before = threadMs()
  const timer = setInterval(() => {
    const now = threadMs()
    longest = Math.max(longest, now - before)
    before = now
  }, 1)
  return () => {
    clearInterval(timer)
    return longest
  }
}

const upload = async (id: string) => {
  const form = reportForm({ id, records: RECORDS })
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const endWatch = watchTurns()
  const startedAt = performance.now()
  const answer = await host.app.inject({
    method: 'POST',
    url: '/admin/mailer/api/dmarc/upload',
    ...form
  })
  const seconds = (performance.now() - startedAt) / 1000
  delay.disable()
  if (answer.statusCode !== 200) throw new Error(answer.body)
  const worked = endWatch()
  return { seconds, worked, blockedMs: delay.max / 1e6, p99: delay.percentile(99) / 1e6 }
}

const first = await upload('first')
const second = await upload('second')
for (const [name, { seconds, worked, blockedMs, p99 }] of Object.entries({ first, second })) {
  const detail = `${RECORDS} records; 99 % of the turns ${p99.toFixed(0)} ms`
  printFigure(`${name} upload: longest turn, ms`, blockedMs, { atMost: 100 }, detail)
  printFigure(`${name} upload: processor ms of a turn`, worked, { atMost: 100 }, 'at most')
  printFigure(`${name} upload: seconds`, seconds, { atMost: 30 }, `${RECORDS} records`)
}
await host.close()
process.exit(0)
