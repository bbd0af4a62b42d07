// The shop of the demo as a plugin: its events, its sample mail, and the API that its traffic calls.
import {
  adminTenants,
  mailerContacts,
  mailerCore,
  mailerOperations
} from '@keelson/mailer/contracts'
import { definePlugin, type Host, Type } from '@keelson/sdk'
import { demoPast } from '../clock/past.ts'
import manifest from './plugin.json' with { type: 'json' }
import { shopOperations } from './shop-operations.ts'
import { type StateRow, writeSampleMail } from './write-sample-mail.ts'

const EVENTS = [
  { name: 'user.signed_up', dedupePolicy: 'once-per-contact' },
  { name: 'app.opened', dedupePolicy: 'once-per-day' },
  { name: 'order.placed', dedupePolicy: 'every-time' }
] as const

async function register(host: Host): Promise<void> {
  const mailer = host.use(mailerCore)
  for (const event of EVENTS) await mailer.registerEvent(event)
  const state = host.collection<StateRow>('shop_state')
  const { clock } = host
  const operations = host.use(mailerOperations)
  host.onReady(() => {
    const contacts = host.use(mailerContacts)
    const past = host.use(demoPast, { optional: true })
    return writeSampleMail({ mailer, operations, contacts, state, clock, past })
  })
  host.serve(shopOperations, { mailer, now: () => host.clock.now() })
}

export default definePlugin({
  manifest,
  config: Type.Object({ adminTenants }, { additionalProperties: false }),
  operations: shopOperations,
  register
})
