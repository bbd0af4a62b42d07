// What a run of test files came to: a failure stays one, even where a second try passes.
import { runFiles } from './test-run.mjs'

/** A fault of many files needs no second try. */
const RUN_AGAIN_AT_MOST = 4

/**
 * Runs the files, and those that failed once more, alone, to say in the report which of them are flaky. Options as
 * of `runFiles`; `onFile(result)` after each try. Returns the result of each first try, and the flaky files.
 */
export async function runAndTryAgain(files, { onFile, ...options }) {
  const results = []
  const first = (result) => {
    results.push(result)
    onFile(result)
  }
  await runFiles(files, { ...options, onFile: first })
  const failed = [...new Set(results.filter((one) => one.failed > 0).map(({ file }) => file))]
  const flaky = []
  if (failed.length > RUN_AGAIN_AT_MOST) return { results, flaky }
  for (const file of failed) {
    const second = []
    const again = (result) => {
      second.push(result)
      onFile(result)
    }
    await runFiles([file], { ...options, workers: 1, onFile: again })
    if (second.every((one) => one.failed === 0)) flaky.push(file)
  }
  return { results, flaky }
}

/** The last lines of a run → { lines, exitCode }. A run without a single test has failed. */
export function verdictOf({ results, flaky }) {
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0)
  const [passed, failed, skipped] = [total('passed'), total('failed'), total('skipped')]
  const failures = results.flatMap(({ file, failures }) =>
    failures.map((name) => `failed: ${file}: ${name}`)
  )
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  const lines = [...flaky.map((file) => `failed, then passed: flaky: ${file}`), ...failures, counts]
  return { lines, exitCode: failed > 0 || passed === 0 ? 1 : 0 }
}
