// Reports from V8's raw coverage how much of each package the tests ran: lines and branches of the sources.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Report } from 'c8'
import { sourceFolders } from './transpile.mjs'

/** What every package must reach, in per cent. */
const AIMS = { lines: 95, branches: 85 }
const LEFT_OUT = [
  '**/*.test.*',
  '**/test/**',
  '**/testing/**',
  '**/stand-in/**',
  '**/*.fixture.*',
  '**/dist/**'
]

/** Writes `coverage/coverage-summary.json`, prints a row for each package and returns those below the aims. */
export async function reportCoverage(root, raw) {
  const packages = sourceFolders(root)
    .map((folder) => folder.slice(root.length + 1))
    .filter((name) => name !== 'test' && !name.startsWith('examples'))
  const report = new Report({
    tempDirectory: raw,
    reportsDirectory: join(root, 'coverage'),
    reporter: ['json-summary'],
    src: [root],
    include: packages.map((name) => `${name}/**`),
    exclude: LEFT_OUT,
    excludeAfterRemap: true,
    resolve: '',
    omitRelative: true,
    mergeAsync: true
  })
  await report.run()
  const summary = JSON.parse(readFileSync(join(root, 'coverage', 'coverage-summary.json'), 'utf8'))
  const rows = packages.map((name) => rowOf(root, name, packages, summary))
  console.table(rows)
  return rows.filter(({ lines, branches }) => lines < AIMS.lines || branches < AIMS.branches)
}

function rowOf(root, name, packages, summary) {
  const inner = packages.filter((other) => other.startsWith(`${name}/`))
  const files = Object.entries(summary).filter(
    ([path]) =>
      path.startsWith(join(root, name, '/')) &&
      !inner.some((other) => path.startsWith(join(root, other, '/')))
  )
  const share = (kind) => {
    const total = files.reduce((sum, [, file]) => sum + file[kind].total, 0)
    const covered = files.reduce((sum, [, file]) => sum + file[kind].covered, 0)
    return total === 0 ? 100 : Number(((covered / total) * 100).toFixed(1))
  }
  return { package: name, files: files.length, lines: share('lines'), branches: share('branches') }
}
