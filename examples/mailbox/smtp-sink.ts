// An SMTP server that takes every mail and passes it on to a function.
import type { FastifyBaseLogger } from 'fastify'
import { SMTPServer } from 'smtp-server'

/** A mail as SMTP delivers it. */
export interface Delivery {
  readonly raw: Buffer
  readonly recipients: readonly string[]
}

/** What a sink is made with. */
export interface SinkOptions {
  readonly host: string
  readonly port: number
  /** Resolves when the mail is stored; only then is it acknowledged. */
  readonly store: (delivery: Delivery) => Promise<void>
  /** Whether there is no mailbox of this address; it is in lower case. */
  readonly isUnknown: (address: string) => boolean
  readonly log: FastifyBaseLogger
}

/** A sink that listens, or tries to. */
export interface SmtpSink {
  /** Resolves when it listens, or when another process does. */
  readonly listening: Promise<void>
  close(): Promise<void>
}

const MAX_MAIL = 25 * 1024 * 1024
/** How often a port that another process holds is tried again: that process may end. */
const RETRY_MS = 5_000

/** Listens as soon as the port is free. */
export function openSmtpSink(options: SinkOptions): SmtpSink {
  const { host, port, log } = options
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let server: SMTPServer | undefined
  const listen = (): Promise<void> =>
    new Promise((settle) => {
      server = createServer(options)
      server.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') log.warn({ err: error }, 'the mailbox cannot take mail')
        if (!isClosed) timer = setTimeout(() => void listen(), RETRY_MS).unref()
        settle()
      })
      server.listen(port, host, () => settle())
    })
  return {
    listening: listen(),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await new Promise<void>((settle) => (server === undefined ? settle() : server.close(settle)))
    }
  }
}

function createServer({ store, isUnknown, log }: SinkOptions): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: MAX_MAIL,
    closeTimeout: 1_000,
    onAuth: (_auth, _session, done) => done(null, { user: 'any' }),
    onRcptTo({ address }, _session, done) {
      if (!isUnknown(address.toLowerCase())) return done()
      done(Object.assign(new Error('5.1.1 There is no such mailbox'), { responseCode: 550 }))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const recipients = envelope.rcptTo.map(({ address }) => address)
        store({ raw: Buffer.concat(chunks), recipients }).then(
          () => done(),
          (error: unknown) => {
            log.warn({ err: error }, 'the mailbox could not store a mail')
            done(Object.assign(new Error('try again later'), { responseCode: 451 }))
          }
        )
      })
    }
  })
}
