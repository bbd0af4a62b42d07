// The options that all providers share, described once.

import { type Clock, Type } from '@keelson/sdk'
import type { fetch as undiciFetch } from 'undici'
import type { ProviderMessage } from '../contracts/mailer-provider.ts'

/** An option that must not be shown. */
export const secretText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 16_384, secret: true, description })

/** An option of one line. */
export const plainText = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 2048,
    pattern: '^[^\\r\\n]*$',
    form: 'one line',
    description
  })

/** Options of every provider. */
export const sharedOptions = {
  name: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9-]*$',
      form: 'lower-case letters, digits and hyphens',
      maxLength: 64,
      description: 'In settings and webhook addresses. Default: the name of the vendor.'
    })
  ),
  sendRatePerSecond: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, description: 'Mails a second, over all processes.' })
  ),
  concurrency: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Hand-overs at a time in a process.' })
  ),
  clock: Type.Optional(Type.Unsafe<Clock>(Type.Unknown({ description: 'Default: the system.' })))
}

/** Options of every provider that is reached by HTTP. */
export const httpOptions = {
  ...sharedOptions,
  baseUrl: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+$',
      form: 'an address that begins with https://',
      maxLength: 2048,
      description: 'Of the API.'
    })
  ),
  fetch: Type.Optional(
    Type.Unsafe<typeof undiciFetch>(Type.Unknown({ description: "Default: undici's." }))
  )
}

/** How old or early a webhook may be. */
export const toleranceOption = (seconds: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 31_536_000,
      default: seconds,
      description: 'Seconds that the time of a webhook may differ from now; 0: any.'
    })
  )

/** The clock of the machine, for providers that are made outside of a host. */
export const systemClock: Clock = { now: () => new Date() }

/** What a provider says about itself, without what was left out. */
export function identityOf(
  vendor: string,
  options: {
    readonly name?: string
    readonly sendRatePerSecond?: number
    readonly concurrency?: number
  }
) {
  const { name = vendor, sendRatePerSecond, concurrency } = options
  return {
    name,
    ...(sendRatePerSecond !== undefined && { sendRatePerSecond }),
    ...(concurrency !== undefined && { concurrency })
  }
}

/** Metadata that vendors take as tags: letters, digits, `_` and `-`. Other values are left out. */
export const tagsOf = (message: ProviderMessage): readonly (readonly [string, string])[] =>
  Object.entries(message.messageMeta ?? {}).filter((tag) =>
    tag.every((part) => /^[\w-]{1,256}$/.test(part))
  )
