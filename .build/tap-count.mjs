// Counts tests in the TAP text of one test file, and keeps what describes each failure.

/** Lines of a failure's diagnosis that are kept. */
const MAX_LINES = 40

/**
 * Reads TAP → { passed, failed, skipped, failures: names, diagnoses: for each failed assertion the
 * lines that say what was expected and where }.
 */
export function countTests(text) {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [], diagnoses: [] }
  let diagnosis
  for (const line of text.split('\n')) {
    if (/^ {4,}not ok \d+/.test(line)) {
      diagnosis = []
      counts.diagnoses.push(diagnosis)
    } else if (/^ *(ok|not ok|#) /.test(line)) diagnosis = undefined
    if (diagnosis && diagnosis.length < MAX_LINES) diagnosis.push(line)
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
