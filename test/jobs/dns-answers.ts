// A DNS server for the demo of a job: it lists what block lists list to be tested, and no other name.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ROOT } from '../hosts/processes.ts'

interface Teardown {
  teardown(fn: () => void): void
}

interface DemoAnswers {
  dnsAnswer(query: Buffer, listed: readonly string[]): Buffer | undefined
}

/** Starts it; returns its address. */
export async function startDnsAnswers(t: Teardown): Promise<string> {
  const module = join(ROOT, 'examples/platform/dist/receivers/dns-answers.js')
  const { dnsAnswer } = (await import(module)) as DemoAnswers
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const answer = dnsAnswer(query, [])
    if (answer !== undefined) socket.send(answer, from.port, from.address)
  })
  t.teardown(() => socket.close())
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`
}
