// Whether hits are a machine's, from what is known of them alone.
import fc from 'fast-check'
import { test } from 'tap'
import { agentTest, findMachineSpans, judgeHit, judgeVisit } from './machine-verdict.ts'

const at = new Date('2026-03-01T10:00:00Z')
const after = (ms: number) => new Date(at.getTime() + ms)
const isMachineAgent = agentTest()

const people = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 9; CUBOT_X18_Plus) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'Nodepad Reader/1.0',
  'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.5)',
  ''
]
const machines = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/141.0 Safari/537.36',
  'python-requests/2.32',
  'curl/8.5.0',
  'node',
  'undici',
  'Barracuda Sentinel (EE)'
]

test('user agents of gateways, crawlers and programs are machines, those of mail clients are not', async (t) => {
  for (const agent of people) t.notOk(isMachineAgent(agent), agent)
  for (const agent of machines) t.ok(isMachineAgent(agent), agent)
})

test('a part that the host configured is taken literally, in any case', async (t) => {
  const own = agentTest(['Acme (scan.*)'])
  t.ok(own('x ACME (SCAN.*) 1'))
  t.notOk(own('acme scanner'))
})

test('any text is judged', async (_t) => {
  fc.assert(fc.property(fc.string(), (text) => typeof agentTest([text])(text) === 'boolean'))
})

test('HEAD requests and prefetches are machines, a missing user agent is not', async (t) => {
  t.same(judgeVisit({ method: 'GET' }, isMachineAgent), [])
  t.same(judgeVisit({ method: 'HEAD' }, isMachineAgent), ['head'])
  t.same(judgeVisit({ isPrefetch: true, userAgent: 'curl/8' }, isMachineAgent), [
    'agent',
    'prefetch'
  ])
})

test('a hit within two seconds of hand-over or delivery is too soon', async (t) => {
  const verdict = (ms: number, journey: object) =>
    judgeHit({ kind: 'click', at: after(ms) }, [], journey)
  t.same(verdict(1999, { sentAt: at }), ['too_soon'])
  t.same(verdict(2000, { sentAt: at }), [])
  t.same(verdict(5000, { sentAt: at, deliveredAt: after(4000) }), ['too_soon'])
  t.same(verdict(6000, { sentAt: at, deliveredAt: after(4000) }), [])
  t.same(verdict(0, {}), [])
})

test('a proxy that loads all images ahead opens, and never clicks, as a machine', async (t) => {
  const agent = { at, userAgent: 'Mozilla/5.0' }
  t.same(judgeHit({ ...agent, kind: 'open' }, [], {}), ['prefetch'])
  t.same(judgeHit({ ...agent, kind: 'click' }, [], {}), [])
})

const links = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ linkId: String(n), url: 'u' }))
const clicks = (gap: number, ids: readonly number[]) =>
  ids.map((id, n) => ({ id: `${n}`, linkId: String(id), url: 'u', clickedAt: after(n * gap) }))

test('every link within a second each is a burst', async (t) => {
  const found = findMachineSpans({ links: links(3), clickedLinks: clicks(1000, [2, 0, 1]) })
  t.same(found, [{ reason: 'all_links', from: at, to: after(2000) }])
})

test('slow readers, single links and repeated clicks make no burst', async (t) => {
  t.same(findMachineSpans({ links: links(3), clickedLinks: clicks(1600, [0, 1, 2]) }), [])
  t.same(findMachineSpans({ links: links(1), clickedLinks: clicks(10, [0, 0, 0]) }), [])
  t.same(findMachineSpans({ links: links(3), clickedLinks: clicks(10, [0, 1, 1, 0, 0]) }), [])
  t.same(findMachineSpans({}), [])
})

test('ten links of a long mail in a row are a burst', async (t) => {
  const ids = Array.from({ length: 10 }, (_, n) => n * 3)
  t.equal(findMachineSpans({ links: links(80), clickedLinks: clicks(900, ids) }).length, 1)
})
