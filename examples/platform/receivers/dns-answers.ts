// DNS answers for block lists: a name is listed or not. Pure.

const NAME_ERROR = 0x8583
const NO_ERROR = 0x8580
/** Of the response: a pointer to the name, type A, class IN, 60 s, 127.0.0.2. */
const LISTED = Buffer.from('c00c000100010000003c00047f000002', 'hex')
const HEADER = 12
/** The end of the name, type and class. */
const QUESTION_END = 5
/** Entries that are always listed, https://www.rfc-editor.org/rfc/rfc5782#section-5 */
const TEST_ENTRY =
  /^(2\.0\.0\.127|test|dbltest\.com|test\.surbl\.org|test\.uribl\.com|surbl-org-permanent-test-point\.com)\./

/** The answer to a query; undefined for anything but a query. `listed` are names in lower case. */
export function dnsAnswer(query: Buffer, listed: readonly string[]): Buffer | undefined {
  const nameEnd = query.indexOf(0, HEADER)
  if (nameEnd === -1 || query.length < nameEnd + QUESTION_END) return undefined
  const name = nameIn(query)
  const isListed = TEST_ENTRY.test(name) || listed.includes(name)
  const head = query.subarray(0, nameEnd + QUESTION_END)
  const answer = Buffer.concat([head, ...(isListed ? [LISTED] : [])])
  answer.writeUInt16BE(isListed ? NO_ERROR : NAME_ERROR, 2)
  answer.writeUInt16BE(isListed ? 1 : 0, 6)
  answer.fill(0, 8, HEADER)
  return answer
}

function nameIn(query: Buffer): string {
  const labels: string[] = []
  for (let at = HEADER, length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return labels.join('.').toLowerCase()
}
