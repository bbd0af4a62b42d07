// Tracking addresses: how they are written into a mail, and how a request's path is read.
import { isSendId } from '../../ledger/send-id.ts'
import { trackingSignature } from './tracking-signature.ts'

/** Where tracking addresses begin: `publicUrl` and the secret that signs them. */
export interface TrackingBase {
  readonly publicUrl: string
  readonly secret: string
}

/** The address of the open pixel of a send. */
export function openAddress({ publicUrl, secret }: TrackingBase, sendId: string): string {
  return `${publicUrl}/m/open/${sendId}.${trackingSignature(secret, 'open', sendId)}.png`
}

/** The address that leads to a tracked link. */
export function clickAddress(
  { publicUrl, secret }: TrackingBase,
  sendId: string,
  linkId: string
): string {
  const signature = trackingSignature(secret, 'click', sendId, linkId)
  return `${publicUrl}/m/click/${sendId}/${linkId}/${signature}`
}

/** The address of a link that people do not see: only a machine follows it. */
export function honeypotAddress({ publicUrl, secret }: TrackingBase, sendId: string): string {
  return `${publicUrl}/m/more/${sendId}/${trackingSignature(secret, 'honeypot', sendId)}`
}

/** The address where a recipient reads the mail in a browser; that of a preview shows nothing. */
export function viewAddress(
  { publicUrl, secret }: TrackingBase,
  sendId: string,
  scope: 'view' | 'preview' = 'view'
): string {
  return `${publicUrl}/m/view/${sendId}/${trackingSignature(secret, scope, sendId)}`
}

/** What a path names; `signature` is undefined in mail of before signing. */
export interface TrackedPath {
  readonly sendId: string
  readonly signature: string | undefined
}

/** Reads `<sendId>.<sig>.png` or `<sendId>.png`. Undefined: it names no send. */
export function parseOpenPath(path: string): TrackedPath | undefined {
  const [, sendId = '', signature] = /^([0-9a-f]{24})(?:\.([^./]{1,64}))?\.png$/.exec(path) ?? []
  return isSendId(sendId) ? { sendId, signature } : undefined
}

/** Reads `<sendId>/<linkId>[/<sig>]`. Undefined: the send id is malformed. */
export function parseClickPath(
  path: string
): (TrackedPath & { readonly linkId: string }) | undefined {
  const [sendId = '', linkId = '', signature, ...more] = path.split('/')
  if (!isSendId(sendId) || more.length > 0) return undefined
  return { sendId, linkId: linkId.slice(0, 64), signature: signature || undefined }
}

/** Reads `<sendId>/<sig>`, as addresses that were signed from the start. Undefined: it names no send. */
export function parseSignedPath(
  path: string
): { readonly sendId: string; readonly signature: string } | undefined {
  const [sendId = '', signature = '', ...more] = path.split('/')
  return isSendId(sendId) && more.length === 0 ? { sendId, signature } : undefined
}

const DAY_MS = 86_400_000

/** Whether links of a send still lead on. A lifetime of 0 days never ends. */
export function isTrackingAlive(queuedAt: Date, lifetimeDays: number, now: Date): boolean {
  return lifetimeDays <= 0 || now.getTime() - queuedAt.getTime() <= lifetimeDays * DAY_MS
}
