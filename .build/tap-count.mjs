// Counts tests in the TAP text of one test file, finds where the file ends, keeps what describes failures.

/** Lines of a failure's diagnosis that are kept. */
const MAX_LINES = 40

const END = 'The file ends:'

/** The test that `.build/test-process.mjs` runs after those of a file. */
export const endOfFile = (file) => `${END} ${file}`

/**
 * Cuts TAP behind the end of a file → { text, rest, hasEnded }. `text` is what the file printed; the test at
 * its end counts only when it failed.
 */
export function cutAtEnd(text) {
  const end = new RegExp(`^(not )?ok \\d+ - ${END} .*\n`, 'm').exec(text)
  if (end === null) return { text, rest: '', hasEnded: false }
  const before = text.slice(0, end.index)
  const rest = text.slice(end.index + end[0].length)
  return { text: end[1] ? before + end[0] : before, rest, hasEnded: true }
}

/**
 * Reads TAP → { passed, failed, skipped, failures: names, diagnoses: for each failed assertion the
 * lines that say what was expected and where, rows: of tables that the tests print as comments }.
 */
export function countTests(text) {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [], diagnoses: [], rows: [] }
  let diagnosis
  for (const line of text.split('\n')) {
    if (/^ {4,}not ok \d+/.test(line)) {
      diagnosis = []
      counts.diagnoses.push(diagnosis)
    } else if (/^ *(ok|not ok|#) /.test(line)) diagnosis = undefined
    if (diagnosis && diagnosis.length < MAX_LINES) diagnosis.push(line)
    const [, row] = /^ *# (\|.*\|)$/.exec(line) ?? []
    if (row !== undefined) counts.rows.push(row)
    const test = /^(not )?ok \d+ - (.*)$/.exec(line)
    if (test) countOne(counts, test)
  }
  return counts
}

function countOne(counts, [, not, rest]) {
  if (/# (SKIP|TODO)/i.test(rest)) counts.skipped++
  else if (not) {
    counts.failed++
    counts.failures.push(rest.replace(/ # time.*$/, ''))
  } else counts.passed++
}
