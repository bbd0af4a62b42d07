// mailer.dmarc-inbound/v1: takes the DMARC reports that a mail service posts, on a router of the mailer.

import {
  defineExtensionPoint,
  type ExtensionPoint,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What one route takes. */
export interface DmarcInboundOptions {
  /** Basic password or Bearer token. */
  readonly secret: string
  /** Bytes of one file. Default 10,485,760. */
  readonly maxFileSizeBytes?: number
  /** Files of one mail. Default 10. */
  readonly maxFiles?: number
  /** Reports about other domains are refused. Default: the sender domains and their parents. */
  readonly allowedDomains?: readonly string[]
  /** Reads the files of a mail from a request in the form of another mail service; undefined leaves it. */
  readonly parseInbound?: (request: FastifyRequest) => InboundFiles | Promise<InboundFiles>
}

/** The files of a mail. Only those ending in `.zip`, `.gz` or `.xml` are read. */
type InboundFiles =
  | readonly { readonly filename: string; readonly buffer: Uint8Array }[]
  | undefined

/** Takes reports. */
export interface DmarcInbound {
  /** Whether an Authorization header carries the secret: ask before the body is read. */
  isAllowed(authorization: string | undefined, secret: string): boolean
  /** Reads the form of a request, stores its reports, and answers. */
  take(
    request: FastifyRequest,
    reply: FastifyReply,
    options: Omit<DmarcInboundOptions, 'secret'>
  ): Promise<FastifyReply>
}

/** Owned by the mailer; the DMARC plugin contributes to it. */
export const mailerDmarcInbound: ExtensionPoint<DmarcInbound> = defineExtensionPoint<DmarcInbound>(
  'mailer.dmarc-inbound/v1',
  Type.Object(requiredFunctions('isAllowed', 'take'))
)
