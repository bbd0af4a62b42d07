// A stand-in for SendGrid: it takes mails and signs webhooks as the vendor does.
import { createSign, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A running stand-in. */
export interface SendgridVendor {
  /** The settings of a host that sends through it. */
  readonly env: Readonly<Record<string, string>>
  /** How many mails it took. */
  readonly taken: () => number
  /** Tells the host that a mail was delivered, by its id. */
  deliver(hostUrl: string, sendId: string, email: string): Promise<void>
}

interface Teardown {
  teardown(fn: () => void): void
}

export async function startSendgridVendor(t: Teardown): Promise<SendgridVendor> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  let taken = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      taken++
      response.writeHead(202, { 'x-message-id': `vendor-${taken}` }).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    env: {
      SENDGRID_API_KEY: 'a key of the vendor',
      SENDGRID_BASE_URL: `http://127.0.0.1:${port}`,
      SENDGRID_WEBHOOK_KEY: publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    },
    taken: () => taken,
    async deliver(hostUrl, sendId, email) {
      const timestamp = Math.floor(Date.now() / 1000)
      const event = { event: 'delivered', sg_event_id: `delivered-${sendId}`, timestamp }
      const body = JSON.stringify([{ ...event, email, sendId }])
      const signed = createSign('sha256').update(String(timestamp)).update(body)
      const response = await fetch(`${hostUrl}/m/webhooks/sendgrid`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-twilio-email-event-webhook-signature': signed.sign(privateKey, 'base64'),
          'x-twilio-email-event-webhook-timestamp': String(timestamp)
        },
        body
      })
      if (!response.ok) throw new Error(`the webhook answered ${response.status}`)
    }
  }
}
