// Whom a change of state is owed to. Pure.
import type { AlertDelivery, AlertDeliveryState } from '../schemas/alerts.ts'
import { recipientsOf } from './alert-mail.ts'

export function deliveriesOf({ webhook, mail }: AlertDelivery): AlertDeliveryState[] {
  const due = (channel: 'webhook' | 'mail', target: string): AlertDeliveryState => ({
    channel,
    target,
    state: 'due',
    attempts: 0,
    problem: null
  })
  return [
    ...(webhook === undefined ? [] : [due('webhook', new URL(webhook.url).host)]),
    ...(mail === undefined ? [] : recipientsOf(mail)).map((one) => due('mail', one))
  ]
}
