// The mails of a mailbox export (mbox, RFC 4155): each begins after a line "From <sender> <time>". Pure.

/** As in "From a@b.example Mon Oct 27 10:00:00 2025", with or without seconds and zone. */
const SEPARATOR = /^From \S* ?[ -]*[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d\b.*\d{4}/
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const MARK = Buffer.from('\nFrom ')
/** A separator is shorter. */
const MOST_SEPARATOR = 512

/**
 * The mails, without their separators. The first line is a separator, whatever its form; a later one follows an
 * empty line and has a time, because people write "From" as well.
 */
export function splitMailbox(bytes: Buffer): readonly Buffer[] {
  const mails: Buffer[] = []
  let start = afterLine(bytes, 0)
  for (let at = bytes.indexOf(MARK, 0); at >= 0; at = bytes.indexOf(MARK, at + 1)) {
    const line = bytes.toString('latin1', at + 1, at + 1 + MOST_SEPARATOR).split('\n', 1)[0] ?? ''
    if (!isAfterEmptyLine(bytes, at) || !SEPARATOR.test(line)) continue
    mails.push(bytes.subarray(start, at))
    start = afterLine(bytes, at + 1)
  }
  mails.push(bytes.subarray(start))
  return mails
}

function isAfterEmptyLine(bytes: Buffer, lineFeed: number): boolean {
  const before = bytes[lineFeed - 1] === CARRIAGE_RETURN ? lineFeed - 2 : lineFeed - 1
  return bytes[before] === LINE_FEED
}

function afterLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(LINE_FEED, at)
  return end < 0 ? bytes.length : end + 1
}
