// The stand-ins for receivers, read by the clients of the plugins that read the real ones.
import { createPostmasterClient } from '@keelson/postmaster'
import type { Host } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { createSndsClient } from '@keelson/snds'
import { type Test, test } from 'tap'
import { dnsAnswer } from './dns-answers.ts'
import receivers from './index.ts'
import type { StoryRow } from './story.ts'

const NOW = new Date('2026-03-28T09:00:00Z')
const REPORTED = '2026-03-10'
const BASE = 'http://demo.test/receivers'
const signal = AbortSignal.timeout(60_000)

async function open(t: Test) {
  const host = await createTestHost({ plugin: receivers, now: NOW })
  t.teardown(() => host.close())
  const stored = host.db.collection<StoryRow>('receivers_story')
  await stored.insertOne({ _id: 'story', listed: [], reportedOn: [REPORTED] })
  const ask = async (address: string, { method = 'GET', body }: RequestInit = {}) => {
    const { statusCode, payload } = await host.app.inject({
      method: method as 'GET' | 'POST',
      url: new URL(address).pathname,
      ...(typeof body === 'string' && {
        headers: { 'content-type': 'application/json' },
        payload: body
      })
    })
    return new Response(payload, { status: statusCode })
  }
  return ask as Host['fetch']
}

test('Gmail has the figures of 29 days up to two days ago, the reported one over the limit', async (t) => {
  const client = createPostmasterClient(await open(t), {
    apiUrl: `${BASE}/gmail`,
    credentials: undefined
  })
  const { source, days, compliance } = await client.read('acme.test', NOW, signal)
  t.equal(source, 'v2')
  t.equal(days.length, 29)
  t.equal(days[0]?.date, '2026-03-26')
  for (const { date, userReportedSpamRatio, spfSuccessRatio } of days) {
    t.equal((userReportedSpamRatio ?? 0) > 0.001, date === REPORTED, date)
    t.ok(spfSuccessRatio)
  }
  t.equal(compliance.filter(({ status }) => status === 'COMPLIANT').length, 7)
})

test('Outlook has a row for each of 28 days, yellow on the reported one, and no blocked range', async (t) => {
  const client = createSndsClient(await open(t), {
    baseUrl: `${BASE}/outlook`,
    intervalHours: 24
  })
  const feed = await client?.data(signal)
  t.equal(feed?.refused, 0)
  t.equal(feed?.rows.length, 28)
  const yellow = feed?.rows.filter(({ filterResult }) => filterResult === 'YELLOW')
  t.match(yellow, [{ ip: '192.0.2.10', complaintRate: 0.008 }])
  t.same(await client?.status(signal), [])
})

const query = (name: string) => {
  const labels = name.split('.').flatMap((label) => [label.length, ...Buffer.from(label)])
  return Buffer.from([0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...labels, 0, 0, 1, 0, 1])
}
const answers = (name: string, listed: readonly string[]) =>
  dnsAnswer(query(name), listed)?.readUInt16BE(6)

test('block lists answer their test entries and what is listed, and nothing else', async (t) => {
  const name = '10.2.0.192.bl.spamcop.net'
  t.equal(answers(name, [name]), 1)
  t.equal(answers(name, []), 0)
  t.equal(answers('2.0.0.127.psbl.surriel.com', []), 1)
  t.equal(answers('1.0.0.127.psbl.surriel.com', []), 0)
  t.equal(dnsAnswer(Buffer.from([0, 7]), []), undefined)
})
