// The outcome of an attempt, from its steps: how it ended, where, and what that usually means. Pure.
import type { AttemptsAnswer } from '../../operations/answers.ts'

/** An attempt with its steps. */
export type Attempt = Pick<
  AttemptsAnswer['items'][number],
  'id' | 'startedAt' | 'steps' | 'userId' | 'ip' | 'sentId' | 'refusedHost'
>
export type AttemptStep = Attempt['steps'][number]

/** `left`: nothing was refused, and the person did not go on. */
export type Ending = 'done' | 'refused' | 'open' | 'left'

export interface Outcome {
  readonly ending: Ending
  /** The last step; undefined when nothing was noted yet. */
  readonly last: AttemptStep | undefined
}

/** Sign-in and consent wait no longer than this, so after it the attempt is over. */
const OPEN_MS = 10 * 60_000
/** A code that was sent is exchanged within seconds, or not at all. */
const CODE_MS = 2 * 60_000

const hasCode = ({ step, outcome }: AttemptStep): boolean =>
  outcome === 'passed' && (step === 'consent' || step === 'decision')

export function outcomeOf({ steps, startedAt }: Attempt, now: number): Outcome {
  const last = steps.at(-1)
  const patience = last !== undefined && hasCode(last) ? CODE_MS : OPEN_MS
  const isOpen = now - Date.parse(last?.at ?? startedAt) < patience
  if (last?.outcome === 'refused') return { ending: 'refused', last }
  if (last?.step === 'token' && last.outcome === 'passed') return { ending: 'done', last }
  return { ending: isOpen ? 'open' : 'left', last }
}

/** The key of the words that say what it usually means; undefined where the detail says it all. */
export function meaningOf({ ending, last }: Outcome): string | undefined {
  if (last === undefined || ending === 'done' || ending === 'open') return undefined
  if (ending === 'refused') return last.step === 'token' ? 'meaning.token' : undefined
  if (last.step === 'login') return 'meaning.login'
  if (last.step === 'consent' && last.outcome === 'waiting') return 'meaning.consent'
  return hasCode(last) ? 'meaning.code' : undefined
}

/** How many attempts ended in which way. */
export function countEndings(
  attempts: readonly Attempt[],
  now: number
): Readonly<Record<Ending, number>> {
  const counts = { done: 0, refused: 0, open: 0, left: 0 }
  for (const attempt of attempts) counts[outcomeOf(attempt, now).ending] += 1
  return counts
}
