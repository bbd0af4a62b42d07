// The logger of a mailer without a kernel: what the host gave, as Fastify's loggers are.
import type { FastifyBaseLogger } from 'fastify'
import type { MailerLogger } from '../../ledger/host-code.ts'

/** Passes errors, warnings and infos on to `logger`; the other levels are dropped. */
export function hostLogger(logger: MailerLogger = {}): FastifyBaseLogger {
  const at =
    (level: keyof MailerLogger) =>
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
