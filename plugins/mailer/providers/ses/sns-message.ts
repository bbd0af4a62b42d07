// Messages of Amazon SNS: who may have signed them, and what the signature covers.
import { verify, X509Certificate } from 'node:crypto'
import { members } from '../vendor-json.ts'

/** A message of SNS; other members do not matter. */
export interface SnsMessage {
  readonly Type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation'
  readonly MessageId: string
  readonly TopicArn: string
  readonly Message: string
  readonly Timestamp: string
  readonly Signature: string
  readonly SignatureVersion: string
  readonly SigningCertURL: string
  readonly Subject?: string
  readonly SubscribeURL?: string
  readonly Token?: string
}

const TYPES: readonly unknown[] = [
  'Notification',
  'SubscriptionConfirmation',
  'UnsubscribeConfirmation'
]
const REQUIRED = [
  'MessageId',
  'TopicArn',
  'Message',
  'Timestamp',
  'Signature',
  'SignatureVersion',
  'SigningCertURL'
]

/** Undefined for anything but a complete message. */
export function readSnsMessage(body: unknown): SnsMessage | undefined {
  const said = members(body)
  const isComplete = REQUIRED.every((name) => typeof said[name] === 'string')
  return isComplete && TYPES.includes(said['Type']) ? (said as unknown as SnsMessage) : undefined
}

/** Addresses of SNS itself: certificates and confirmations are fetched from nowhere else. */
export function isSnsAddress(address: string | undefined): address is string {
  if (address === undefined || !URL.canParse(address)) return false
  const { protocol, host, username } = new URL(address)
  const isAmazon = /^sns\.[a-z0-9-]{1,40}\.amazonaws\.com(\.cn)?$/.test(host)
  return protocol === 'https:' && isAmazon && username === ''
}

/** What the signature covers, in this order; members that are missing are left out. */
const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  confirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
} as const

/** Version 1 is RSA with SHA-1, version 2 with SHA-256. @throws Error when the certificate cannot be read. */
export function isSignedBy(message: SnsMessage, certificate: string, now: Date): boolean {
  const { publicKey, validFrom, validTo } = new X509Certificate(certificate)
  const isValid = Date.parse(validFrom) <= now.getTime() && now.getTime() <= Date.parse(validTo)
  const algorithm = { '1': 'sha1', '2': 'sha256' }[message.SignatureVersion]
  if (!isValid || algorithm === undefined || publicKey.asymmetricKeyType !== 'rsa') return false
  const names = message.Type === 'Notification' ? SIGNED.Notification : SIGNED.confirmation
  const fields = message as unknown as Readonly<Record<string, unknown>>
  const covered = names.flatMap((name) => {
    const value = fields[name]
    return typeof value === 'string' ? [`${name}\n${value}\n`] : []
  })
  const signature = Buffer.from(message.Signature, 'base64')
  return verify(algorithm, Buffer.from(covered.join('')), publicKey, signature)
}

/** The event of SES inside a notification. */
export function innerEvent(message: SnsMessage): unknown {
  try {
    return JSON.parse(message.Message)
  } catch {
    return undefined
  }
}
