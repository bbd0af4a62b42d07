// An SMTP server that follows a script: it answers, drops or hangs at each stage of the dialogue.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { Teardown } from '@keelson/sdk/testing'

/** Where a dialogue is: before the greeting, at a command, within the data, behind the final dot. */
export type Stage = 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'body' | 'end'

/** What the server does there: a reply, or it closes or resets the connection, or says nothing. */
export type Step = string | 'close' | 'reset' | 'hang'

const POLITE: Readonly<Record<Stage, Step>> = {
  greeting: '220 ready',
  EHLO: '250 hello',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  body: '',
  end: '250 taken'
}

/** What happened at the server. */
export interface ScriptedSmtp {
  readonly url: string
  /** Stages in their order, over all connections. */
  readonly stages: Stage[]
  /** Mails whose final dot arrived. */
  readonly mails: string[]
  /** Settles when the server hangs. */
  readonly hanging: Promise<void>
}

/** Starts a server; it stops when the test ends. A list holds a step for each time, and is polite afterwards. */
export async function scriptedSmtp(
  t: Teardown,
  script: Partial<Record<Stage, Step | readonly Step[]>>
): Promise<ScriptedSmtp> {
  const stages: Stage[] = []
  const mails: string[] = []
  const sockets = new Set<Socket>()
  let hangs = () => {}
  const hanging = new Promise<void>((resolve) => {
    hangs = resolve
  })
  const stepOf = (stage: Stage): Step => {
    const steps = script[stage]
    if (!Array.isArray(steps)) return (steps as Step | undefined) ?? POLITE[stage]
    return steps[stages.filter((past) => past === stage).length - 1] ?? POLITE[stage]
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).setNoDelay(true)
    converse(socket, stepOf, { stages, mails, hangs: () => hangs() })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, stages, mails, hanging }
}

interface Notes {
  readonly stages: Stage[]
  readonly mails: string[]
  readonly hangs: () => void
}

function converse(socket: Socket, stepOf: (stage: Stage) => Step, notes: Notes): void {
  let received = ''
  let isData = false
  const act = (stage: Stage) => {
    notes.stages.push(stage)
    const step = stepOf(stage)
    if (step === 'hang') return notes.hangs()
    if (step === 'close') return void socket.end()
    if (step === 'reset') return void socket.resetAndDestroy()
    if (step !== '') socket.write(`${step}\r\n`)
  }
  const readLine = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO' || verb === 'MAIL' || verb === 'RCPT') return act(verb)
    if (verb !== 'DATA') return void socket.write('250 ok\r\n')
    act('DATA')
    isData = /^3/.test(stepOf('DATA'))
  }
  const readData = () => {
    const end = received.indexOf('\r\n.\r\n')
    if (end < 0) return
    isData = false
    notes.mails.push(received.slice(0, end))
    received = received.slice(end + 5)
    act('end')
  }
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    if (isData && !notes.stages.includes('body')) act('body')
    while (received !== '') {
      if (isData) return readData()
      const end = received.indexOf('\r\n')
      if (end < 0) return
      const line = received.slice(0, end)
      received = received.slice(end + 2)
      readLine(line)
    }
  })
  act('greeting')
}
