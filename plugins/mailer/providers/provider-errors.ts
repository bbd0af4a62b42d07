// What providers throw: options that are wrong, and mail that a vendor does not have.
import { schemaFault, type TSchema } from '@keelson/sdk'
import { errors } from '../errors.ts'
import type { Fault } from './fault-of-failure.ts'

/** What is known about a hand-over that failed. */
export interface FailedDelivery {
  /** The name of the provider. */
  readonly provider: string
  /** A sentence without secrets. */
  readonly reason: string
  /** Default: the provider's. */
  readonly fault?: Fault
  /** When the vendor says so. */
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/** The vendor does not have the mail: it is tried again, not before `retryAfterSeconds`. */
export function notTaken(
  failed: FailedDelivery
): Error & { readonly retryAfterSeconds?: number; readonly fault: Fault } {
  const { retryAfterSeconds, fault = 'provider', ...details } = failed
  const error = Object.assign(errors.MLR_MAIL_NOT_TAKEN({ ...details }), { fault })
  return retryAfterSeconds === undefined ? error : Object.assign(error, { retryAfterSeconds })
}

/** @throws MLR_PROVIDER_INVALID when options do not fit their schema. */
export function checkOptions(provider: string, schema: TSchema, options: unknown): void {
  const fault = schemaFault(schema, options)
  if (fault !== undefined) throw invalidProvider(provider, fault.path || 'options', fault.problem)
}

/** An option of a provider is wrong. The problem never shows a secret. */
export function invalidProvider(provider: string, path: string, problem: string, cause?: unknown) {
  return errors.MLR_PROVIDER_INVALID({ provider, path, problem, ...(cause ? { cause } : {}) })
}

/** What `read` makes of an option. @throws MLR_PROVIDER_INVALID when it cannot be read. */
export function readOption<T>(
  {
    provider,
    path,
    problem
  }: { readonly provider: string; readonly path: string; readonly problem: string },
  read: () => T
): T {
  try {
    return read()
  } catch (cause) {
    throw invalidProvider(provider, path, problem, cause)
  }
}

/** A text of a vendor for logs and rows: one line, bounded, with no secret of ours in it. */
export function vendorText(text: string, secrets: readonly string[]): string {
  const shown = secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
  return shown
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 500)
}
