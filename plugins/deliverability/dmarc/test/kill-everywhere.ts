// Kills an ingest at every one of its database commands: a report is whole or absent, and a second upload completes it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { databaseUri, testDatabase } from '@keelson/sdk/testing'
import { type Db, UUID } from 'mongodb'
import type { Test } from 'tap'
import { ingestDmarcAttachment } from '../ingest/ingest-file.ts'
import { sweepIngests } from '../ingest/remove-records.ts'
import { readDomains } from '../overview/read-domains.ts'
import { ingestContext } from './ingest-context.ts'
import { reportXml } from './report-xml.ts'

const WORKER = fileURLToPath(new URL('./crash-ingest.js', import.meta.url))
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/**
 * Ends what a killed process has left: the database ends its transaction by itself after a minute, and may be
 * carrying out its last command.
 */
async function endSession(db: Db, id: UUID): Promise<void> {
  await db.admin().command({ killSessions: [{ id }] })
  const isOfSession = { 'lsid.id': id }
  for (;;) {
    const { inprog } = await db.admin().command({ currentOp: 1, ...isOfSession })
    if (inprog.length === 0) return
    await setImmediate()
  }
}

/** @param count records of the report */
export async function killEverywhere(t: Test, count: number): Promise<void> {
  const { db, client } = await testDatabase(t)
  const { context, pass } = ingestContext({ db, client })
  t.teardown(() => context.reader.close())
  const seen = async (domain: string) => {
    const [sums] = await readDomains(context, domain)
    const sources = await context.collections.sources.countDocuments({ domain })
    return [sums?.reportCount ?? 0, sums?.totalMessages ?? 0, sources]
  }
  const ingest = (domain: string) => {
    const records = Array.from({ length: count }, (_, n) => ({
      ip: `10.0.${n >> 8}.${n & 255}`,
      dkim: 'fail',
      spf: 'fail'
    }))
    const bytes = Buffer.from(reportXml({ domain, records }))
    return ingestDmarcAttachment(context, { filename: 'a.xml', bytes }, { via: 'upload' })
  }
  const whole = [1, count, count]
  const domains: string[] = []
  const left = new Set<string>()
  for (let round = 0; ; round++) {
    const domain = `round-${round}.test`
    domains.push(domain)
    const args = [await databaseUri(), db.databaseName, domain, count, round + 1].map(String)
    const child = spawn(process.execPath, [WORKER, ...args], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const [[code, signal], session] = await Promise.all([once(child, 'exit'), text(child.stdout)])
    if (code !== 0) await endSession(db, new UUID(session))
    const state = await seen(domain)
    left.add(String(state))
    // The sources of a large report follow it.
    if (state[0] !== 0) t.same(state.slice(0, 2), whole.slice(0, 2), `whole after ${round + 1}`)
    else t.same(state, [0, 0, 0], `absent after command ${round + 1}`)
    const again = await ingest(domain)
    t.match(again.reports, [{ duplicate: state[0] === 1 }])
    t.same(await seen(domain), whole, 'a second upload completes it')
    if (code === 0) break
    t.equal(signal, 'SIGKILL')
  }
  t.ok(left.has('0,0,0') && left.has(String(whole)), 'some kills came too early, some too late')
  pass(11 * MINUTE)
  await sweepIngests(context)
  pass(2 * DAY)
  await sweepIngests(context)
  const { records, ingests, sources } = context.collections
  t.equal(await ingests.countDocuments(), 0)
  t.equal(await records.countDocuments(), domains.length * count, 'no record is lost or double')
  for (const domain of domains) t.same(await seen(domain), whole)
  t.equal(await sources.countDocuments({ messages: 1 }), domains.length * count, 'each counts once')
}
