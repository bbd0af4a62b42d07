// Prints the reference page of a package's errors from its tables.

/**
 * @param page `title`, `intro` (paragraphs), `sections` (`{ heading, rows }`, rows by code), `retired` (codes).
 */
export function errorsPage({ title, intro, sections, retired = [] }) {
  const parts = sections.map(
    ({ heading, rows }) => `## ${heading}\n\n${Object.entries(rows).map(entry).join('\n')}`
  )
  if (retired.length > 0) parts.push(`## Retired codes\n\n${retired.join(', ')}\n`)
  return `# ${title}\n\n${intro}\n\n${parts.join('\n')}`
}

/** What every page of coded errors says first. */
export const CODED =
  'Every error has a `code`, the `plugin` it concerns, a `remedy`, and a `status` for HTTP. Words in braces are filled in when it is raised.'

function entry([code, { message, remedy, status }]) {
  const text = message.trim().replaceAll('\n', ' ')
  return `### ${code}\n\n${text}\n\n- Remedy: ${remedy}\n- Status: ${status}\n`
}

/** The page of the OAuth server: its own errors, then those of the protocol. */
export function protocolTable(rows) {
  const lines = Object.values(rows).map(
    ([status, code, description = '']) => `| ${status} | \`${code}\` | ${description} |`
  )
  return table('status | error | description', lines)
}

/** MongoDB's codes, as the engine answers with them. */
export function codeTable(codes) {
  const lines = Object.entries(codes).map(([name, code]) => `| ${code} | \`${name}\` |`)
  return table('code | codeName', lines)
}

function table(heads, lines) {
  const columns = heads.split(' | ')
  return [`| ${heads} |`, `|${columns.map(() => ' --- |').join('')}`, ...new Set(lines)].join('\n')
}
