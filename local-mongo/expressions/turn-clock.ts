// Counts what expressions do in one turn of the event loop, so that none keeps other clients waiting.

/** Steps between two looks at the clock. */
const STEPS_PER_LOOK = 256
/** Steps that are too many for one turn, whatever the clock says. */
const MOST_STEPS = 250_000
/** Longest time in milliseconds that expressions keep the turn. */
const MOST_MS = 12

/** Thrown in the midst of an evaluation: others must have their turn before it is begun again. */
export class TurnOver extends Error {
  override readonly name = 'TurnOver'
}

const clock: { steps: number; beganAt: number | undefined; isOff: boolean } = {
  steps: 0,
  beganAt: undefined,
  isOff: false
}

/** Counts steps: elements of lists, rounds of loops. Throws TurnOver when the turn is over. */
export function spend(steps = 1): void {
  clock.steps += steps
  if (clock.steps >= STEPS_PER_LOOK) look()
}

/** What ordering a list of this length spends. */
export function spendOnOrder(length: number): void {
  spend(length * Math.ceil(Math.log2(length + 1)))
}

function look(): void {
  const { steps, isOff } = clock
  clock.steps = 0
  if (isOff) return
  const now = performance.now()
  if (clock.beganAt === undefined) {
    clock.beganAt = now
    setImmediate(() => {
      clock.beganAt = undefined
    })
  }
  if (steps > MOST_STEPS || now - clock.beganAt > MOST_MS) throw new TurnOver()
}

/** Whether no expression of this turn has looked at the clock yet. */
export function isTurnFresh(): boolean {
  return clock.beganAt === undefined
}

/** For a thread without clients: evaluations may take as long as they like. */
export function stopClock(): void {
  clock.isOff = true
}
