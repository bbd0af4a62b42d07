// Counts lines, headers and possible parts of a mail before it is read: a library reads all of them first.
import type { UnpackBudget } from '../containers/unpack-budget.ts'
import { errors } from '../errors.ts'

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const HYPHEN = 45
/** Lines before the first empty one. Mails with long chains of signatures have a few hundred. */
const MOST_HEADER_LINES = 5_000

/**
 * Takes a mail from the budget of its file. A line that begins with two hyphens may separate parts, whatever
 * the boundary is.
 *
 * @throws DMR_MAIL_SIZE
 */
export function spendMail(bytes: Uint8Array, budget: UnpackBudget): void {
  const { name, limits } = budget
  const check = (count: number, limit: number, what: string) => {
    if (count > limit) throw errors.DMR_MAIL_SIZE({ name, limit, what })
  }
  let isHead = true
  let headerLines = 0
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] === HYPHEN && bytes[at + 1] === HYPHEN)
      check(++budget.parts, limits.maxParts, 'parts')
    if (bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN) isHead = false
    if (isHead) check(++headerLines, MOST_HEADER_LINES, 'header lines')
    check(++budget.lines, limits.maxLines, 'lines')
    const end = bytes.indexOf(LINE_FEED, at)
    at = end < 0 ? bytes.length : end + 1
  }
}
