// Every read of the plugin is found by an index.
import { test } from 'tap'
import { openDmarc } from './dmarc-host.ts'

test('what routes and jobs read is found by an index', async (t) => {
  const { collections } = await openDmarc(t)
  const { reports, records, ingests, sources, failures, tlsReports, alerts } = collections
  const since = { $gte: new Date(0) }
  const aligned = false
  const before = { $lt: new Date(0) }
  const queries: readonly (readonly [string, { explain(mode: string): Promise<unknown> }])[] = [
    ['received', reports.find({ receivedAt: since })],
    ['received', reports.find().sort({ receivedAt: -1, _id: -1 })],
    ['domain_received', reports.find({ domain: 'a.test', receivedAt: since })],
    ['failing', records.find({ aligned, receivedAt: since, sourceIp: { $ne: null } })],
    ['ingest', records.find({ ingest: 'a' })],
    ['received', records.find({ receivedAt: before })],
    ['touched', ingests.find({ touchedAt: before })],
    ['summing', ingests.find({ 'summing.domain': 'a.test' })],
    ['most', sources.find().sort({ messages: -1, _id: 1 })],
    ['domain_ended', sources.find({ domain: 'a.test', rangeEnd: since })],
    ['received', failures.find().sort({ receivedAt: -1 })],
    ['received', failures.find({ receivedAt: before })],
    ['received', tlsReports.find().sort({ receivedAt: -1 })],
    ['pending', alerts.find({ 'pending.at': before }).sort({ 'pending.at': 1 })],
    ['updated', alerts.find().sort({ updatedAt: -1 })],
    ['domain_failing', records.find({ domain: 'a.test', aligned: true }).sort({ rangeEnd: -1 })],
    [
      'domain_failing',
      records.find({ domain: 'a.test', aligned, rangeEnd: since }).sort({ rangeEnd: -1 }).limit(10)
    ]
  ]
  for (const [index, query] of queries) {
    const plan = JSON.stringify(await query.explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`), index)
    t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/, index)
  }
})
