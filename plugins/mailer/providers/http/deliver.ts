// Hands one mail to a vendor's API, and tells what became of it.
import type { Clock } from '@keelson/sdk'
import type {
  ProviderMessage,
  ProviderResult,
  ProviderSend
} from '../../contracts/mailer-provider.ts'
import { faultOfMessage } from '../message-faults.ts'
import { notTaken, vendorText } from '../provider-errors.ts'
import { type AnswerReader, judgeAnswer } from './judge-answer.ts'
import { callVendor, type VendorApi, type VendorRequest } from './vendor-api.ts'

/** A vendor that takes mail by one call. */
export interface MailApi extends VendorApi, AnswerReader {
  readonly clock: Clock
  /** The call for a mail; only made for mail without faults. */
  request(
    message: ProviderMessage,
    send: ProviderSend
  ): Omit<VendorRequest, 'signal'> | Promise<Omit<VendorRequest, 'signal'>>
}

/** @throws MLR_MAIL_NOT_TAKEN when the vendor does not have the mail. */
export async function deliver(
  api: MailApi,
  message: ProviderMessage,
  send: ProviderSend
): Promise<ProviderResult> {
  const fault = faultOfMessage(message, send)
  if (fault !== undefined) return { status: 'rejected', reason: fault }
  const request = await api.request(message, send)
  const exchange = await callVendor(api, { ...request, signal: send.signal })
  if ('lost' in exchange) return { status: 'unknown', reason: exchange.lost, isDown: true }
  const verdict = judgeAnswer(exchange, api, api.clock.now())
  if (verdict.status === 'accepted') return verdict
  const reason = vendorText(verdict.reason, api.secrets)
  if (verdict.status !== 'retry') return { ...verdict, reason }
  const { retryAfterSeconds } = verdict
  throw notTaken({ provider: api.provider, reason, fault: verdict.fault, retryAfterSeconds })
}

/** `"Acme, Inc." <hello@acme.test>`, for vendors that take the sender as one text. */
export const senderOf = ({ fromName, fromEmail }: ProviderMessage): string =>
  fromName === '' ? fromEmail : `${JSON.stringify(fromName)} <${fromEmail}>`

/** Basic authentication (RFC 7617). */
export const basicAuth = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
