// mailer.sender-facts/v1: what a plugin knows about the mail of a sender domain, for the readiness checklist.

import {
  defineExtensionPoint,
  type ExtensionPoint,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'

/** What one plugin knows about one domain. What it does not know is left out. Rates are fractions from 0 to 1. */
export interface SenderFacts {
  /** Lower case. */
  readonly domain: string
  /** Mails that people of a large receiver report as spam, and who says so: `Gmail`. */
  readonly spamRate?: { readonly rate: number; readonly receiver: string; readonly date: string }
  /** Complaints by feedback loops, of the mails that were sent. */
  readonly complaintRate?: { readonly rate: number; readonly sent: number }
  /** Mail to a receiver that was encrypted on the way. */
  readonly encryptedRate?: { readonly rate: number; readonly receiver: string }
  /** Whether a receiver finds one-click unsubscribe in the mail. */
  readonly oneClick?: { readonly isMet: boolean; readonly receiver: string }
  /** Addresses of servers that send this domain's mail. */
  readonly sendingIps?: readonly string[]
}

/** A contribution: the facts of one plugin. */
export interface SenderFactsSource {
  /** Kebab-case. */
  readonly name: string
  /** Reads what your jobs stored; never asks the network. Domains without a fact are left out. */
  read(domains: readonly string[], now: Date): Promise<readonly SenderFacts[]>
}

/** Owned by the plugin that makes the checklist. */
export const mailerSenderFacts: ExtensionPoint<SenderFactsSource> =
  defineExtensionPoint<SenderFactsSource>(
    'mailer.sender-facts/v1',
    Type.Object({
      name: Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 64 }),
      ...requiredFunctions('read')
    })
  )
