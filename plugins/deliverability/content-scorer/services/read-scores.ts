// What the services answer, read. Pure.
import type { ContentScore, ScoreFeedback } from './content-service.ts'
import { fieldsOf, listOf, numberOf, scoreOf, textOf } from './json-fields.ts'

const MOST_FEEDBACK = 100

/** `checks`: `{ ready, score, feedback, summary }`; null while it is not ready. */
export function readCheck(answer: unknown): ContentScore | null {
  const { ready, complete, status, score, feedback, summary } = fieldsOf(answer)
  const isReady = ready === true || complete === true || status === 'ready'
  const number = numberOf(score)
  if (!isReady || number === null) return null
  const entries = listOf(feedback).slice(0, MOST_FEEDBACK).flatMap(readFeedback)
  return { score: scoreOf(number), feedback: entries, summary: textOf(summary) }
}

function readFeedback(entry: unknown): readonly ScoreFeedback[] {
  const { category, severity, message } = fieldsOf(entry)
  const text = textOf(message)
  if (text === null) return []
  return [
    {
      category: textOf(category) ?? 'content',
      severity: textOf(severity) ?? 'info',
      message: text
    }
  ]
}

const PARTS = ['spamAssassin', 'signature', 'body', 'blacklists', 'links'] as const

/**
 * `mailbox`: `{ status, displayedMark: "8.5/10" }`, or `mark` (points lost) and `maxMark`, with one part for
 * each test; null while the service has no mail (`status: false`).
 */
export function readMailbox(answer: unknown): ContentScore | null {
  const fields = fieldsOf(answer)
  if (fields['status'] === false) return null
  const number = markOf(fields)
  if (number === null) return null
  const feedback = PARTS.flatMap((category): readonly ScoreFeedback[] => {
    const { title, mark } = fieldsOf(fields[category])
    const message = textOf(title)
    const lost = numberOf(mark) ?? 0
    return message === null ? [] : [{ category, severity: lost < 0 ? 'warning' : 'info', message }]
  })
  return { score: scoreOf(number), feedback, summary: textOf(fields['title']) }
}

function markOf({ displayedMark, mark, maxMark }: Readonly<Record<string, unknown>>) {
  const [, shown, of] = /^\s*(-?[\d.]+)\s*\/\s*([\d.]+)\s*$/.exec(String(displayedMark)) ?? []
  const [value, most] = [numberOf(shown), numberOf(of)]
  if (value !== null && most !== null && most > 0) return (value / most) * 10
  const [lost, best] = [numberOf(mark), numberOf(maxMark)]
  return lost === null || best === null || best <= 0 ? null : ((best + lost) / best) * 10
}

/** Points at which SpamAssassin calls a mail spam. */
const SPAM_POINTS = 5

/** `spamassassin`: `{ success, score, rules }`. No point is 10, and what counts as spam is 0. */
export function readPoints(answer: unknown): ContentScore | null {
  const { success, score, rules } = fieldsOf(answer)
  const points = numberOf(score)
  if (success === false || points === null) return null
  const feedback = listOf(rules).slice(0, MOST_FEEDBACK).flatMap(readRule)
  const summary = `${points} points; ${SPAM_POINTS} are spam.`
  return { score: scoreOf(10 - (points * 10) / SPAM_POINTS), feedback, summary }
}

function readRule(rule: unknown): readonly ScoreFeedback[] {
  const { score, description } = fieldsOf(rule)
  const message = textOf(description)
  const points = numberOf(score)
  if (message === null || points === null) return []
  const severity = points > 0 ? 'warning' : 'info'
  return [{ category: 'spamassassin', severity, message: `${points}: ${message}` }]
}
