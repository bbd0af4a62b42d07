// The log of a host without the kernel: what the app gave, as Fastify's loggers are.
import type { FastifyBaseLogger } from 'fastify'

/** What an app without the kernel may give as its log. What is missing is dropped. */
export interface PlainLogger {
  error?(details: object, message: string): void
  warn?(details: object, message: string): void
  info?(details: object, message: string): void
}

/** Passes errors, warnings and infos on to `logger`; the other levels are dropped. */
export function plainLog(logger: PlainLogger = {}): FastifyBaseLogger {
  const at =
    (level: keyof PlainLogger) =>
    (first: unknown, message?: string): void => {
      const isMessage = typeof first === 'string'
      logger[level]?.(isMessage ? {} : (first as object), isMessage ? first : (message ?? ''))
    }
  const drop = () => undefined
  const log = {
    level: 'info',
    error: at('error'),
    fatal: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: drop,
    trace: drop,
    silent: drop,
    child: (): FastifyBaseLogger => log as unknown as FastifyBaseLogger
  }
  return log as unknown as FastifyBaseLogger
}
