// Asking the DNS servers of the settings.
import { type Test, test } from 'tap'
import { createLookup } from '../lookups/dns-lookup.ts'
import { type Said, startDnsServer } from './dns-server.ts'

async function open(t: Test, answer: (name: string) => Said) {
  const server = await startDnsServer(answer)
  t.teardown(() => server.close())
  const ends = new AbortController()
  const lookup = createLookup({ servers: [server.address], signal: ends.signal, timeoutMs: 100 })
  return { server, lookup, ends }
}

test('addresses, absence and failures have answers of different kinds', async (t) => {
  const said: Readonly<Record<string, Said>> = {
    'listed.example': ['127.0.0.2', '127.0.0.4'],
    'none.example': 'NXDOMAIN',
    'empty.example': [],
    'broken.example': 'SERVFAIL',
    'refused.example': 'REFUSED',
    'silent.example': 'silence'
  }
  const { lookup } = await open(t, (name) => said[name] ?? 'NXDOMAIN')
  t.same(await lookup('listed.example'), {
    kind: 'answers',
    addresses: ['127.0.0.2', '127.0.0.4']
  })
  t.same(await lookup('none.example'), { kind: 'absent' })
  t.same(await lookup('empty.example'), { kind: 'absent' })
  t.same(await lookup('broken.example'), { kind: 'failed', code: 'ESERVFAIL' })
  t.same(await lookup('refused.example'), { kind: 'failed', code: 'EREFUSED' })
  t.same(await lookup('silent.example'), { kind: 'failed', code: 'ETIMEOUT' })
})

test('a name that is asked twice is looked up once', async (t) => {
  const { lookup, server } = await open(t, () => ['127.0.0.2'])
  await Promise.all(['a.example', 'b.example', 'a.example'].map(lookup))
  t.same(server.asked.sort(), ['a.example', 'b.example'])
})

test('at most 8 names are asked at the same time', async (t) => {
  const { lookup, server, ends } = await open(t, () => 'silence')
  const answers = Promise.all(Array.from({ length: 20 }, (_, i) => lookup(`n${i}.example`)))
  while (server.asked.length < 8) await new Promise((next) => setImmediate(next))
  t.equal(new Set(server.asked).size, 8)
  ends.abort()
  const codes = (await answers).map((answer) => (answer.kind === 'failed' ? answer.code : ''))
  t.same(new Set(codes), new Set(['ECANCELLED']))
  t.equal(new Set(server.asked).size, 8)
})
