// Counts tests in TAP text: the sentences one level below each file.

/** Of the diagnosis of a failure, enough to find it by. */
const MOST_LINES = 40

/**
 * Reads TAP → { passed, failed, skipped, failures: names of what failed, diagnoses: the lines that say
 * of each failed assertion what was expected and where }.
 */
export function countTests(text) {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [], diagnoses: [] }
  let file = ''
  let diagnosis
  for (const line of text.split('\n')) {
    const opened = /^# Subtest: (.*)$/.exec(line)
    if (opened) file = opened[1]
    if (/^ {8,}not ok \d+/.test(line)) {
      diagnosis = [`${file}:`]
      counts.diagnoses.push(diagnosis)
    } else if (/^ *(ok|not ok|#) /.test(line)) diagnosis = undefined
    if (diagnosis && diagnosis.length < MOST_LINES) diagnosis.push(line)
    countLine(counts, line, file)
  }
  return counts
}

function countLine(counts, line, file) {
  const test = /^ {4}(not )?ok \d+ - (.*)$/.exec(line)
  const whole = /^(not )?ok \d+ - (.*)$/.exec(line)
  if (test) countOne(counts, test, file)
  else if (whole?.[1] && !counts.failures.some((name) => name.startsWith(file))) {
    // A file that failed without a failed test: it ended early, timed out or threw.
    counts.failed++
    counts.failures.push(`${file}: the file itself`)
  }
}

function countOne(counts, [, not, rest], file) {
  if (/# (SKIP|TODO)/i.test(rest)) counts.skipped++
  else if (not) {
    counts.failed++
    counts.failures.push(`${file}: ${rest.replace(/ # time.*$/, '')}`)
  } else counts.passed++
}
