// An SMTP server in a separate process, which counts what it takes and says when urgent mail arrives.
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** Mail to these addresses is reported with the time it arrived. */
const [URGENT = ''] = process.argv.slice(2)

const addresses: string[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onData(stream, { envelope }, done) {
    stream.resume()
    stream.on('end', () => {
      const [to] = envelope.rcptTo
      addresses.push(to?.address ?? '')
      if (URGENT !== '' && to?.address.startsWith(URGENT) === true)
        process.send?.({ to: to.address, at: Date.now() })
      done()
    })
  }
})
server.on('error', () => undefined)
server.listen(0, '127.0.0.1', () => {
  const { port } = server.server.address() as AddressInfo
  process.send?.({ port })
})
process.on('message', (asked) => {
  process.send?.(asked === 'addresses' ? { addresses } : { taken: addresses.length })
})
