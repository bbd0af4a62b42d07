// Handing one mail to a provider: what the provider gets beside the mail.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'tap'
import { fetch } from 'undici'
import type { MailProvider, ProviderMessage } from '../../contracts/mailer-provider.ts'
import { callProvider } from './call-provider.ts'

test('a provider may give the signal of its delivery to fetch', async (t) => {
  const server = createServer((_, reply) => reply.end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const provider = {
    name: 'http',
    async send(_message, { signal }) {
      const response = await fetch(`http://127.0.0.1:${port}/`, { signal })
      await response.text()
      return { status: 'accepted', providerId: 'm1' }
    }
  } as MailProvider
  const mail = { to: 'a@acme.test' } as ProviderMessage
  const { signal } = new AbortController()
  const handed = await callProvider('http', provider, mail, {
    messageId: '<m1@acme.test>',
    idempotencyKey: 'm1',
    signal
  })
  t.match(handed, { kind: 'accepted', providerMessageId: 'm1' })
})
