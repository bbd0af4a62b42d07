// Asks a vendor for a mail whose outcome is unknown.
import type { LookUp, ProviderResult } from '../../contracts/mailer-provider.ts'
import { errors } from '../../errors.ts'
import type { MailApi } from './deliver.ts'
import { callVendor } from './vendor-api.ts'

/** What a look-up says. */
export type Found = ProviderResult | { readonly status: 'absent' }

/** How a vendor is asked. */
export interface Question {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** What the vendor's list says of the mail; null when it is not in it; undefined when it is not a list. */
  read(body: unknown): ProviderResult | null | undefined
  /** Mail appears in the list by then. */
  readonly settledMinutes: number
  /** Mail stays in the list that long. */
  readonly keptHours: number
}

/**
 * A mail that is missing is `absent` only while the vendor would have it in its list; before and after that
 * it stays `unknown`.
 *
 * @throws MLR_LOOK_UP_FAILED
 */
export async function lookUpMail(api: MailApi, mail: LookUp, question: Question): Promise<Found> {
  const { path, headers } = question
  const { provider } = api
  const failed = (reason: string, cause?: unknown) =>
    errors.MLR_LOOK_UP_FAILED({ provider, reason, ...(cause !== undefined && { cause }) })
  const request = { method: 'GET', path, headers, signal: mail.signal } as const
  const answer = await callVendor(api, request).catch((cause) => {
    throw failed('no connection', cause)
  })
  if ('lost' in answer) throw failed(answer.lost)
  const found = answer.status === 200 ? question.read(answer.body) : undefined
  if (found === undefined) throw failed(`HTTP ${answer.status}`)
  if (found !== null) return found
  const minutes = (api.clock.now().getTime() - mail.attemptedAt.getTime()) / 60_000
  const isKnowable = minutes >= question.settledMinutes && minutes <= question.keptHours * 60
  return isKnowable
    ? { status: 'absent' }
    : { status: 'unknown', reason: 'The mail is not in the list of the vendor.' }
}
