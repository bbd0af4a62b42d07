// Counts tests in TAP text: the sentences one level below each file.

/** Reads TAP → { passed, failed, skipped, failures: names of what failed }. */
export function countTests(text) {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [] }
  let file = ''
  for (const line of text.split('\n')) {
    const opened = /^# Subtest: (.*)$/.exec(line)
    if (opened) file = opened[1]
    const test = /^ {4}(not )?ok \d+ - (.*)$/.exec(line)
    const whole = /^(not )?ok \d+ - (.*)$/.exec(line)
    if (test) countOne(counts, test, file)
    else if (whole?.[1] && !counts.failures.some((name) => name.startsWith(file))) {
      // A file that failed without a failed test: it ended early, timed out or threw.
      counts.failed++
      counts.failures.push(`${file}: the file itself`)
    }
  }
  return counts
}

function countOne(counts, [, not, rest], file) {
  if (/# (SKIP|TODO)/i.test(rest)) counts.skipped++
  else if (not) {
    counts.failed++
    counts.failures.push(`${file}: ${rest.replace(/ # time.*$/, '')}`)
  } else counts.passed++
}
