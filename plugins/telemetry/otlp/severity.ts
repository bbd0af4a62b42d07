// The severity of a log record: its number, else its text, else info. Pure.
import type { Severity } from '../schemas/envelope.ts'
import { enumOf } from './values.ts'

/** By fours, from number 1. Source: OpenTelemetry logs data model, SeverityNumber. */
const LEVELS: readonly Severity[] = ['debug', 'debug', 'info', 'warn', 'error', 'fatal']
const NAMES = [
  'UNSPECIFIED',
  ...['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].flatMap((name) =>
    ['', '2', '3', '4'].map((step) => name + step)
  )
]

/** What loggers and syslog call their levels. */
const TEXTS: Readonly<Record<string, Severity>> = {
  trace: 'debug',
  verbose: 'debug',
  debug: 'debug',
  info: 'info',
  information: 'info',
  notice: 'info',
  warn: 'warn',
  warning: 'warn',
  err: 'error',
  error: 'error',
  severe: 'error',
  crit: 'fatal',
  critical: 'fatal',
  alert: 'fatal',
  emerg: 'fatal',
  emergency: 'fatal',
  panic: 'fatal',
  fatal: 'fatal'
}

/** `number` is 1 to 24, or the name of the enum; `text` counts where it is not set. */
export function severityOf(number: unknown, text = ''): Severity {
  const value = enumOf(number, 'SEVERITY_NUMBER_', NAMES)
  if (value >= 1) return LEVELS[Math.ceil(value / 4) - 1] ?? 'fatal'
  const name = text
    .trim()
    .toLowerCase()
    .replace(/[2-4]$/, '')
  return Object.hasOwn(TEXTS, name) ? (TEXTS[name] as Severity) : 'info'
}
