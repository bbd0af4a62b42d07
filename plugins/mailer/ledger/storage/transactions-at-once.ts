// Keeps the transactions of one process few: many at once only wait for each other in the database.
import type { MailerContext } from '../context.ts'

type WithTransaction = MailerContext['withTransaction']

/** The same, with at most `most` at a time; the others wait in line. They must not be nested. */
export function transactionsAtOnce(run: WithTransaction, most: number): WithTransaction {
  let running = 0
  const waiting: (() => void)[] = []
  return async (act) => {
    if (running >= most) await new Promise<void>((go) => void waiting.push(go))
    else running++
    try {
      return await run(act)
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
