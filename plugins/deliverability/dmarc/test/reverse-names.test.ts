// Names of sources: looked up once a day, and shown with the sources.
import { testDatabase } from '@keelson/sdk/testing'
import { test } from 'tap'
import type { DnsAnswer } from '../dns/dns-lookup.ts'
import { readReverseNames, refreshReverseNames } from '../sources/reverse-names.ts'
import { ingestContext } from './ingest-context.ts'

const HOUR = 3_600_000

test('a name is looked up once a day, and an address without one has none', async (t) => {
  const { context, pass } = ingestContext(await testDatabase(t))
  const asked: string[] = []
  const names = async (ip: string): Promise<DnsAnswer<string>> => {
    asked.push(ip)
    if (ip === '192.0.2.3') return { kind: 'failed', code: 'ETIMEOUT' }
    return ip === '192.0.2.1' ? { kind: 'found', values: ['Mail.Example'] } : { kind: 'absent' }
  }
  const ips = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.1']
  t.equal(await refreshReverseNames(context, ips, { names }), 3)
  t.same([...(await readReverseNames(context, ips))], [['192.0.2.1', 'mail.example']])
  pass(23 * HOUR)
  t.equal(await refreshReverseNames(context, ips, { names }), 0)
  pass(2 * HOUR)
  t.equal(await refreshReverseNames(context, ips, { names }), 3)
  t.equal(asked.length, 6)
})
