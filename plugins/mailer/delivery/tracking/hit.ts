// An open, a click or a visit of the honeypot link, on its way into a send.
import type { MachineReason } from './machine-verdict.ts'

/** A hit of a send; `id` tells it apart, so that adding it twice changes nothing. */
export interface Hit {
  readonly kind: 'open' | 'click' | 'honeypot'
  readonly id: string
  readonly sendId: string
  readonly at: Date
  readonly userAgent?: string
  readonly ip?: string
  /** Its address had no signature, and its send is to say whether it counts. */
  readonly isUnsigned?: boolean
  /** Reasons that the request gave. */
  readonly reasons: readonly MachineReason[]
  /** Of clicks. `linkId` is empty where a provider reports a link that is not ours. */
  readonly link?: { readonly linkId: string; readonly url: string }
}
