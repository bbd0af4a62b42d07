// How long the DMARC overview takes after one report of 100,000 records, of which every third fails, and 730 small
// ones: the answer of 19 of 20 calls. RECORDS and SMALL set how many.
import { readFile } from 'node:fs/promises'
import dmarc from '@keelson/dmarc'
import { createMailerStandIn } from '@keelson/mailer/testing'
import { createTestHost } from '@keelson/sdk/testing'
import { type MeasuredReport, reportForm } from './dmarc-reports.ts'
import { median, printFigure } from './measure.ts'

const RECORDS = Number(process.env['RECORDS'] ?? 100_000)
const SMALL = Number(process.env['SMALL'] ?? 730)
const CALLS = 40
/** Of the clock in which Linux counts the CPU time of a process. */
const TICK_MS = 10
const API = '/admin/mailer/api'

const host = await createTestHost({
  plugin: dmarc,
  plugins: [createMailerStandIn().plugin],
  viewer: { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' },
  config: { dnsServers: '', adminTenants: ['acme'] }
})

async function upload(report: MeasuredReport): Promise<void> {
  const sent = { method: 'POST', url: `${API}/dmarc/upload`, ...reportForm(report) } as const
  const answer = await host.app.inject(sent)
  if (answer.statusCode !== 200) throw new Error(answer.body)
}

async function took(url: string): Promise<number> {
  const from = performance.now()
  const answer = await host.app.inject(url)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return performance.now() - from
}

const { pid: enginePid } = await host.db.command({ serverStatus: 1 })

/** CPU time so far of this process and of the engine, in milliseconds: what a quiet machine would take. */
async function cpuMs(): Promise<number> {
  const { user, system } = process.cpuUsage()
  const stat = await readFile(`/proc/${enginePid}/stat`, 'utf8').catch(() => '')
  const [, fields = ''] = stat.split(') ')
  const ticks = fields
    .split(' ')
    .slice(11, 13)
    .reduce((sum, text) => sum + Number(text), 0)
  return (user + system) / 1_000 + (ticks || 0) * TICK_MS
}

for (let n = 0; n < SMALL; n++)
  await upload({ id: `small-${n}`, org: `reporter-${n % 8}.example`, records: 3, failEvery: 3 })
const from = performance.now()
await upload({ id: 'large', records: RECORDS, failEvery: 3 })
const seconds = (performance.now() - from) / 1_000
console.log(`the report of ${RECORDS} records was stored in ${seconds.toFixed(1)} s`)

for (const path of ['/dmarc', '/readiness']) {
  await took(API + path)
  const before = await cpuMs()
  const times: number[] = []
  for (let call = 0; call < CALLS; call++) times.push(await took(API + path))
  const p95 = times.toSorted((a, b) => a - b)[Math.ceil(CALLS * 0.95) - 1] ?? Number.NaN
  const cpu = ((await cpuMs()) - before) / CALLS
  const detail = `ms at p95; median ${median(times).toFixed(1)}, CPU ${cpu.toFixed(1)}`
  printFigure(path, p95, { atMost: 100 }, detail)
}
await host.close()
process.exit(0)
