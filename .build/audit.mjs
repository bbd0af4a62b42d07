// npm run audit: holds the lock file against the advisories that the registry serves.
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Findings of these severities fail. */
const FAILING = ['high', 'critical']

/**
 * What a report of `npm audit --json` means. Only a registry that does not answer may pass unread: a report that
 * cannot be understood fails.
 */
export function verdictOf(text) {
  const report = readJson(text)
  const counts = report?.metadata?.vulnerabilities
  if (counts === undefined) {
    const isUnanswered = report?.uri !== undefined || /^request to /.test(report?.message ?? '')
    if (!isUnanswered) return { code: 1, lines: ['The audit failed: npm printed no report.', text] }
    return { code: 0, lines: [`Not audited: the registry did not answer. ${report.message}`] }
  }
  const found = Object.values(report.vulnerabilities ?? {})
  const failing = found.filter(({ severity }) => FAILING.includes(severity))
  const isBad = failing.length > 0 || FAILING.some((severity) => counts[severity] > 0)
  const lines = failing.map(({ name, severity, range }) => `${severity}: ${name} ${range}`)
  return { code: isBad ? 1 : 0, lines: [...lines, `Audited: ${summaryOf(counts)}.`] }
}

function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function summaryOf({ total: _total, ...counts }) {
  const found = Object.entries(counts).filter(([, count]) => count > 0)
  if (found.length === 0) return 'no advisories'
  return found.map(([severity, count]) => `${count} ${severity}`).join(', ')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const args = ['audit', '--json', '--package-lock-only']
  const { stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' })
  const { code, lines } = verdictOf(stdout || stderr)
  console.log(lines.join('\n'))
  process.exitCode = code
}
