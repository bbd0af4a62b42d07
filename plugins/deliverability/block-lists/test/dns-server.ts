// A DNS server on UDP for tests: answers A questions as a function says, and keeps what was asked.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** Addresses, a response code, or no answer at all. */
export type Said = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'silence'

const RCODE: Readonly<Record<string, number>> = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 }

export interface DnsServer {
  /** As `127.0.0.1:port`. */
  readonly address: string
  /** Names that were asked for, lower case. */
  readonly asked: string[]
  close(): Promise<void>
}

export async function startDnsServer(answer: (name: string) => Said): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const { name, end } = readName(query)
    asked.push(name)
    const said = answer(name)
    if (said !== 'silence') socket.send(reply(query, end, said), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  return {
    address: `127.0.0.1:${port}`,
    asked,
    close: () => new Promise((done) => socket.close(done))
  }
}

function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  // The zero byte, type and class.
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

function reply(query: Buffer, end: number, said: Exclude<Said, 'silence'>): Buffer {
  const addresses = typeof said === 'string' ? [] : said
  const header = Buffer.alloc(12)
  header.writeUInt16BE(query.readUInt16BE(0), 0)
  header.writeUInt16BE(0x8580 | (typeof said === 'string' ? (RCODE[said] ?? 0) : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  const records = addresses.map((address) => {
    const record = Buffer.alloc(16)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(1, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(60, 6)
    record.writeUInt16BE(4, 10)
    Buffer.from(address.split('.').map(Number)).copy(record, 12)
    return record
  })
  return Buffer.concat([header, query.subarray(12, end), ...records])
}

/** The zone of a working list: its test entries, and what is listed beside them. */
export function zone(list: string, listed: Readonly<Record<string, readonly string[]>> = {}) {
  return (name: string): Said | undefined => {
    if (!name.endsWith(`.${list}`)) return undefined
    const entry = name.slice(0, -list.length - 1)
    if (entry === '2.0.0.127' || entry === 'test') return ['127.0.0.2']
    return listed[entry] ?? 'NXDOMAIN'
  }
}
