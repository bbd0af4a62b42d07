// The policy that a mail is judged by: that of the mailer, and that of the category of the mail. Pure.
import type { ResolvedConfig } from '../../ledger/check-config.ts'
import {
  type CategoryPolicy,
  judgePolicy,
  type PolicyFacts,
  type PolicyVerdict,
  policyReach
} from './contact-policy.ts'
import type { RecentMail } from './recent-mail.ts'

/** Where policies are configured. */
export type PolicyConfig = Pick<ResolvedConfig, 'contactPolicy' | 'categories'>

/** Whether any mail may have to wait for a rule. */
export const hasPolicy = ({ contactPolicy, categories = [] }: PolicyConfig): boolean =>
  contactPolicy !== undefined || categories.some(({ policy }) => policy !== undefined)

/** Milliseconds back in time that the rules look at, of any category. */
export function mailPolicyReach({ contactPolicy = {}, categories = [] }: PolicyConfig): number {
  return Math.max(
    policyReach(contactPolicy),
    ...categories.map(({ policy = {} }) => policyReach(policy))
  )
}

/** Only the rules about how often: what other mails of the contact decide. */
export function frequencyOf({ contactPolicy = {}, categories = [] }: PolicyConfig): PolicyConfig {
  const own = ({ minGapHours, maxPerRollingDays }: CategoryPolicy) => ({
    ...(minGapHours !== undefined && { minGapHours }),
    ...(maxPerRollingDays !== undefined && { maxPerRollingDays })
  })
  return {
    contactPolicy: own(contactPolicy),
    categories: categories.map((one) => ({ ...one, policy: own(one.policy ?? {}) }))
  }
}

/** What the policies say about a mail; `others` are the other marketing mails of its address. */
export function judgeMail(
  { contactPolicy = {}, categories = [] }: PolicyConfig,
  mail: Omit<PolicyFacts, 'recent' | 'category'> & { readonly category?: string | undefined },
  others: readonly RecentMail[]
): PolicyVerdict {
  const { category: id, ...facts } = mail
  const policy = categories.find((one) => one.id === id)?.policy
  const timesOf = (mails: readonly RecentMail[]) => mails.map(({ at }) => at)
  const own = timesOf(others.filter(({ category }) => category === id))
  return judgePolicy(contactPolicy, {
    ...facts,
    recent: timesOf(others),
    ...(policy !== undefined && { category: { policy, recent: own } })
  })
}
