// mailer.dmarc-hook/v1: learns of DMARC alerts, and reads what a mail service posts to the inbound route.

import {
  defineExtensionPoint,
  type ExtensionPoint,
  optionalFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { FastifyRequest } from 'fastify'

/** A DMARC alert that opened, changed, is due for a reminder, or ended. */
export interface DmarcAlert {
  /** The same for all events of one alert: kind, domain and subject. */
  readonly id: string
  readonly event: 'open' | 'updated' | 'reminder' | 'resolved'
  /** As `unknown_source_failing`, `reports_stopped`, `dns_misconfigured`. */
  readonly kind: string
  readonly domain: string
  /** The address that it is about; empty for alerts about the whole domain. */
  readonly subject: string
  readonly severity: 'critical' | 'warning' | 'info'
  /** One sentence. */
  readonly message: string
  readonly state: 'open' | 'resolved'
  readonly openedAt: Date
  /** How often it fired, this time included. With `id` it tells events apart. */
  readonly fireCount: number
}

/** A file that a mail service posted. */
export interface InboundFile {
  /** Only files ending in `.zip`, `.gz` or `.xml` are read. */
  readonly filename: string
  readonly buffer: Uint8Array
}

/** Code of the host around DMARC reports. */
export interface DmarcHook {
  /** Kebab-case. */
  readonly name: string
  /**
   * Called for each event of an alert, beside mail and webhook. A throw counts as a failed delivery, which is
   * tried again with growing pauses; a process that ends meanwhile leads to a second call, too.
   */
  onDmarcAlert?(alert: DmarcAlert): Promise<void> | void
  /**
   * Reads the files of a mail from a request in the form of another mail service. The secret was checked; JSON
   * is in `body`, a multipart form is still unread. Return undefined before you read the form to leave the
   * request to the next hook, and to the form of an inbound-parse webhook at last. The limits for files hold
   * for what you return.
   */
  parseInbound?(
    request: FastifyRequest
  ): Promise<readonly InboundFile[] | undefined> | readonly InboundFile[] | undefined
}

/** Owned by the DMARC plugin. */
export const mailerDmarcHook: ExtensionPoint<DmarcHook> = defineExtensionPoint<DmarcHook>(
  'mailer.dmarc-hook/v1',
  Type.Object({
    name: Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 64 }),
    ...optionalFunctions('onDmarcAlert', 'parseInbound')
  })
)
