// A DNS server for the demo of a job: it lists what block lists list to be tested, and knows no other name.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

interface Teardown {
  teardown(fn: () => void): void
}

const NAME_ERROR = 0x8583
const NO_ERROR = 0x8580
/** Of the response: a pointer to the name, type A, class IN, 60 s, 127.0.0.2. */
const LISTED = Buffer.from('c00c000100010000003c00047f000002', 'hex')
/** Entries that are always listed, https://www.rfc-editor.org/rfc/rfc5782#section-5 */
const TEST_ENTRY = /^(2\.0\.0\.127|test|dbltest\.com|surbl-org-permanent-test-point\.com)\./

/** Starts it; returns its address. */
export async function startDnsAnswers(t: Teardown): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12) + 5
    const isListed = TEST_ENTRY.test(nameIn(query))
    const answer = Buffer.concat([query.subarray(0, end), ...(isListed ? [LISTED] : [])])
    answer.writeUInt16BE(isListed ? NO_ERROR : NAME_ERROR, 2)
    answer.writeUInt16BE(isListed ? 1 : 0, 6)
    answer.fill(0, 8, 12)
    socket.send(answer, from.port, from.address)
  })
  t.teardown(() => socket.close())
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`
}

function nameIn(query: Buffer): string {
  const labels: string[] = []
  for (let at = 12, length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return labels.join('.').toLowerCase()
}
