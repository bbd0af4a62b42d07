// The shop of the demo as a plugin: its events, its sample mail, and the API that its traffic calls.
import { mailerHandle } from '@keelson/mailer'
import { definePlugin, errorBody, type Host, type RouteContext } from '@keelson/sdk'
import type { MailerCore } from '@keelson/sdk/contracts/mailer-core'
import type { FastifyReply } from 'fastify'
import manifest from './plugin.json' with { type: 'json' }
import { customerSchema, type Order, orderSchema } from './schemas.ts'
import { type StateRow, writeSampleMail } from './write-sample-mail.ts'

const EVENTS = [
  { name: 'user.signed_up', dedupePolicy: 'once-per-contact' },
  { name: 'app.opened', dedupePolicy: 'once-per-day' },
  { name: 'order.placed', dedupePolicy: 'every-time' }
] as const

async function register(host: Host): Promise<void> {
  const mailer = host.use(mailerHandle)
  for (const event of EVENTS) await mailer.registerEvent(event)
  const state = host.collection<StateRow>('shop_state')
  host.onReady(() => writeSampleMail(mailer.getRunnerContext(), state, host.clock))
  for (const [path, event] of [
    ['/sign-ups', 'user.signed_up'],
    ['/visits', 'app.opened']
  ] as const) {
    host.route({
      method: 'POST',
      path,
      schema: { body: customerSchema },
      handler: async ({ body }, reply, context) => {
        if (!isOfShop(context)) return refused(reply)
        await mailer.fire(event, body.externalId)
        return reply.code(202).send({ ok: true })
      }
    })
  }
  host.route({
    method: 'POST',
    path: '/orders',
    schema: { body: orderSchema },
    handler: async ({ body }, reply, context) => {
      if (!isOfShop(context)) return refused(reply)
      return reply.code(202).send(await placeOrder(mailer, body, host.clock.now()))
    }
  })
}

/** The same order again fires no second event and sends no second receipt. */
async function placeOrder(mailer: MailerCore, order: Order, placedAt: Date) {
  const { externalId, orderId, currency, items } = order
  const totalCents = items.reduce((sum, { amountCents }) => sum + amountCents, 0)
  await mailer.fire(
    'order.placed',
    externalId,
    { orderId, totalCents, currency },
    `order.placed:${orderId}`
  )
  return mailer.sendOneOff({
    templateSlug: 'order-receipt',
    externalId,
    vars: { orderId, placedAt, currency, items, totalCents },
    dedupeKey: `order-receipt:${orderId}`
  })
}

/** The shop is Acme's. */
const isOfShop = ({ viewer }: RouteContext): boolean =>
  viewer?.tenantId === 'acme' || viewer?.tenantId === '*'

const refused = (reply: FastifyReply) =>
  reply.code(403).send(errorBody({ error: 'forbidden', message: 'The shop is for Acme.' }))

export default definePlugin({ manifest, register })
