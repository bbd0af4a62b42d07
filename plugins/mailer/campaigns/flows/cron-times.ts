// When flows with a cron trigger are due: five-field expressions in UTC, as the platform's jobs have them.
import { nextAfter, parseCron } from '@keelson/sdk/schedule'

/** What is wrong with an expression; undefined when it can be used. */
export function cronFault(expression: string): string | undefined {
  const parsed = parseCron(expression)
  return parsed.ok ? undefined : parsed.reason
}

/** The first time after `date`; undefined when the expression is not one. */
export function nextCronTime(expression: string, date: Date): Date | undefined {
  const parsed = parseCron(expression)
  return parsed.ok ? nextAfter(parsed.cron, date) : undefined
}
