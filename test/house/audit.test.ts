// What `npm run audit` makes of a report: findings fail, a registry that does not answer is said, nothing else passes.
import { test } from 'tap'

interface Verdict {
  readonly code: number
  readonly lines: readonly string[]
}
// Seen from test/dist/house.
const address = new URL('../../../.build/audit.mjs', import.meta.url).href
const { verdictOf } = (await import(address)) as { verdictOf(text: string): Verdict }

const reportWith = (severity: string) =>
  JSON.stringify({
    vulnerabilities: { left: { name: 'left', severity, range: '<1.2' } },
    metadata: { vulnerabilities: { low: 0, moderate: 0, high: 0, critical: 0, [severity]: 1 } }
  })

test('findings of high severity and above fail, with their names', async (t) => {
  for (const severity of ['high', 'critical']) {
    const { code, lines } = verdictOf(reportWith(severity))
    t.equal(code, 1)
    t.match(lines[0], `${severity}: left <1.2`)
  }
})

test('lesser findings are counted and pass', async (t) => {
  t.match(verdictOf(reportWith('moderate')), { code: 0, lines: ['Audited: 1 moderate.'] })
  const none = JSON.stringify({ metadata: { vulnerabilities: { high: 0, critical: 0, total: 0 } } })
  t.match(verdictOf(none), { code: 0, lines: ['Audited: no advisories.'] })
})

test('a registry that does not answer is said', async (t) => {
  const refused = { message: '405 Method Not Allowed', uri: 'https://registry.example/x' }
  const away = { message: 'request to https://registry.example/x failed, reason: timeout' }
  for (const report of [refused, away]) {
    t.match(verdictOf(JSON.stringify(report)), { code: 0, lines: [/^Not audited: /] })
  }
})

test('anything else fails', async (t) => {
  const texts = ['', 'npm error', '{}', '[]', '{"error":{"code":"ENOLOCK"}}', 'null']
  for (const text of texts) t.equal(verdictOf(text).code, 1, text)
})
