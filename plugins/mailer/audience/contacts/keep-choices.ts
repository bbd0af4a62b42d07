// Appends what recipients choose about categories and pauses to the consent of their contacts.
import type { ClientSession } from 'mongodb'
import { addressForms } from '../../ledger/address.ts'
import type { ConsentStep } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { durably } from '../../ledger/storage/durable.ts'
import { appendSteps } from './consent-steps.ts'

/** A choice that an address made; of an address without a subscription nothing is kept. */
export interface Choice extends Omit<ConsentStep, 'at'> {
  readonly email: string
}

/** Appends in one command; an address may have several contacts. */
export async function keepChoices(
  { collections, clock }: Pick<MailerContext, 'collections' | 'clock'>,
  choices: readonly Choice[],
  { session }: { readonly session?: ClientSession } = {}
): Promise<void> {
  if (choices.length === 0) return
  const at = clock.now()
  const operations = choices.map(({ email, ...step }) => ({
    updateMany: {
      filter: { emailAtSubscribe: { $in: [...addressForms(email)] } },
      update: appendSteps([{ at, ...step }])
    }
  }))
  await collections.subscriptions.bulkWrite(operations, durably(session))
}
