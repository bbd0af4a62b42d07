// Starts the SMTP server of `smtp-sink.ts`, and asks it what it took.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** An SMTP server in another process. */
export interface MailSink {
  readonly url: string
  readonly port: number
  readonly child: ChildProcess
  taken(): Promise<number>
  /** The recipient of each mail, as they arrived. */
  addresses(): Promise<readonly string[]>
  /** When mail to this contact arrives, as `Date.now()`; for addresses that begin with `urgent`. */
  arrival(externalId: string): Promise<number>
}

/** `urgent` is what begins the addresses whose arrival is reported; none by default. */
export async function openMailSink(urgent = ''): Promise<MailSink> {
  const child = fork(fileURLToPath(new URL('./smtp-sink.js', import.meta.url)), [urgent])
  const next = <T>(name: string) =>
    new Promise<T>((resolve) => {
      const listen = (message: Readonly<Record<string, T>>) => {
        if (message[name] === undefined) return
        child.off('message', listen)
        resolve(message[name])
      }
      child.on('message', listen)
    })
  const ask = <T>(name: string) => {
    child.send(name)
    return next<T>(name)
  }
  const port = await next<number>('port')
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    child,
    taken: () => ask<number>('taken'),
    addresses: () => ask<readonly string[]>('addresses'),
    arrival: (externalId) =>
      new Promise((resolve) => {
        const listen = ({ to, at }: { readonly to?: string; readonly at: number }) => {
          if (to !== `${externalId}@example.test`) return
          child.off('message', listen)
          resolve(at)
        }
        child.on('message', listen)
      })
  }
}
