// Finds words that make our English hard to read, where readers meet them: docs, messages, tests, public comments.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Each pattern with what to write instead. */
const WORDS = [
  [/\bwhoever\b/i, 'name the caller: "a client that", "callers"'],
  [/\b([Nn]obody|no one)\b/, 'say what does not happen: "not signed in", "unused"'],
  [/\b(somebody|someone)\b/i, 'name the person: "a user", "the viewer", "another process"'],
  [/\bstands (?!for\b|alone\b)/i, '"is", "exists", "is declared"'],
  [/\b(lies|lie) (in|at|on|below|beside|there|between)\b/i, '"is in", "is stored in"'],
  [/\b(is|are|was|were) told\b/i, '"is notified", "receives", "is logged"'],
  [/\btold (of|about)\b/i, '"notified of", "receives"'],
  [/(?<!there )\b(is|are) no (?!longer\b|more\b|match\b)[a-z]+\b/i, '"is not a …", "must be a …"'],
  [/\blets? go of\b/i, '"releases", "closes"'],
  [/\bcalled off\b/i, '"cancelled", "aborted"'],
  [/\blast words\b/i, '"final output"'],
  [/\bat home\b/i, 'say where']
]

const isMessages = (path) =>
  /(^|\/)(errors|[\w-]*messages|[\w-]*texts)\.(ts|js)$|\.en\.json$/.test(path) &&
  !path.includes('.test.')

/** Returns problems of one file as `{ line, word, advice }`. */
export function proseProblems(path, text) {
  return passagesOf(path, text).flatMap(({ line, words }) =>
    WORDS.flatMap(([pattern, advice]) => {
      const found = pattern.exec(words)
      return found === null ? [] : [{ line, word: found[0].trim(), advice }]
    })
  )
}

function passagesOf(path, text) {
  const lines = text.split('\n')
  if (path.endsWith('.md')) return proseOfMarkdown(lines)
  if (isMessages(path)) return linesMatching(lines, /['"`]/)
  const names = linesMatching(lines, /^\s*(?:test|t\.test)\(\s*['"`]/)
  return path.includes('.test.') ? names : exportedComments(lines)
}

function proseOfMarkdown(lines) {
  let isCode = false
  return lines.flatMap((words, index) => {
    if (words.startsWith('```')) isCode = !isCode
    return isCode ? [] : [{ line: index + 1, words: words.replace(/`[^`]*`/g, '') }]
  })
}

function linesMatching(lines, pattern) {
  return lines.flatMap((words, index) => (pattern.test(words) ? [{ line: index + 1, words }] : []))
}

/** Doc comments of exported symbols and of the members of exported interfaces. */
function exportedComments(lines) {
  const passages = []
  let comment = []
  let isExported = false
  for (const [index, words] of lines.entries()) {
    if (/^\s*(\/\*\*|\*)/.test(words)) comment.push({ line: index + 1, words })
    else {
      if (/^export\b/.test(words)) isExported = true
      if (isExported) passages.push(...comment)
      if (
        /^[})]/.test(words) ||
        (/^export (const|type|function)/.test(words) && !words.endsWith('{'))
      )
        isExported = false
      comment = []
    }
  }
  return passages
}

/** Problems of all files, as lines for the terminal. */
export function proseReport(root, files) {
  return files
    .filter((path) => /\.(md|ts|en\.json)$/.test(path) && existsSync(join(root, path)))
    .flatMap((path) =>
      proseProblems(path, readFileSync(join(root, path), 'utf8')).map(
        ({ line, word, advice }) => `${path}:${line}: "${word}": write ${advice}`
      )
    )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  const problems = proseReport(root, files)
  for (const problem of problems) console.error(problem)
  console.log(`${problems.length} passages against the word list`)
  process.exitCode = problems.length > 0 ? 1 : 0
}
