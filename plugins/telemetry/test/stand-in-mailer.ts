// A mailer for the tests of alerts.
import { type Actor, defineErrors } from '@keelson/sdk'
import type { AlertMailer } from '../alerts/alert-mail.ts'

/** A mailer that knows who may send, and keeps in whose name it was asked. */
export function standInMailer(mayAct: () => boolean) {
  const mails: { readonly actor: Actor; readonly mail: unknown }[] = []
  const mailer: AlertMailer = {
    as: (actor) => ({
      allowed: async () => mayAct(),
      async sendOneOff(mail) {
        if (!mayAct()) throw mailErrors.FORBIDDEN({})
        return { sendId: `s${mails.push({ actor, mail })}` }
      },
      async notify(mail) {
        if (!mayAct()) throw mailErrors.FORBIDDEN({})
        mails.push({ actor, mail })
        return { isNew: true }
      }
    })
  }
  return { mailer, mails }
}

const mailErrors = defineErrors({
  FORBIDDEN: { message: 'No.', remedy: 'Ask.', status: 403 }
})
