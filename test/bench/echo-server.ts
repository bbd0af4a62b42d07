// A process that answers each command with what an engine answered the first time, and does no work.
import { connect, createServer, type Socket } from 'node:net'

const [enginePath = '', ownPath = ''] = process.argv.slice(2)

/** Cuts a stream of bytes into messages of MongoDB's wire protocol. */
function onMessages(socket: Socket, take: (message: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= 16 && rest.length >= rest.readInt32LE(0)) {
      const message = rest.subarray(0, rest.readInt32LE(0))
      rest = rest.subarray(message.length)
      take(message)
    }
  })
}

/** The name of the first field of a command, which is the command. */
function commandOf(message: Buffer): string {
  const nameAt = message.readInt32LE(12) === 2013 ? 26 : message.indexOf(0, 20) + 14
  return message.toString('latin1', nameAt, message.indexOf(0, nameAt))
}

const answers = new Map<string, Buffer>()
const waiting: ((answer: Buffer) => void)[] = []
const engine = connect(enginePath)
onMessages(engine, (answer) => waiting.shift()?.(answer))

const server = createServer((socket) => {
  const send = (answer: Buffer, request: Buffer): void => {
    const own = Buffer.from(answer)
    request.copy(own, 8, 4, 8)
    socket.write(own)
  }
  onMessages(socket, (request) => {
    const command = commandOf(request)
    const known = answers.get(command)
    if (known) return send(known, request)
    waiting.push((answer) => {
      answers.set(command, answer)
      send(answer, request)
    })
    engine.write(request)
  })
})
server.listen(ownPath, () => process.send?.('ready'))
process.once('SIGTERM', () => process.exit(0))
