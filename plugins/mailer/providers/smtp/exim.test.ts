// A real mail server takes our mail over TLS with authentication, and relays it with its signature intact.
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { SMTPServer } from 'smtp-server'
import { type Test, test } from 'tap'
import { CERTIFICATE, PRIVATE_KEY } from '../test/certificate.ts'
import { sampleFiles, sampleMail, sampleSend } from '../test/sample-mail.ts'
import { createSmtpProvider } from './smtp-provider.ts'

const EXIM = '/usr/sbin/exim4'
const PASSWORD = 'p@ss word'

/** Why this machine cannot run a mail server, or undefined. */
function obstacle(): string | undefined {
  if (!existsSync(EXIM)) return `Exim is not installed: there is no ${EXIM}`
  return process.getuid?.() === 0 ? undefined : 'Exim needs to be started by root'
}

const reason = obstacle()
const options = reason === undefined ? {} : { skip: reason }

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** The next hop: keeps what the mail server relays. */
async function nextHop(t: Test) {
  let deliver: (mail: Buffer) => void
  const relayed = new Promise<Buffer>((resolve) => {
    deliver = resolve
  })
  const sink = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        deliver(Buffer.concat(chunks))
        done()
      })
    }
  })
  sink.listen(0, '127.0.0.1')
  await once(sink.server, 'listening')
  t.teardown(() => new Promise<void>((resolve) => sink.close(() => resolve())))
  return { relayed, port: (sink.server.address() as { port: number }).port }
}

interface Ports {
  readonly starttls: number
  readonly tls: number
}

/** A configuration that relays authenticated mail to the next hop, and refuses any other. */
const configuration = (folder: string, { starttls, tls }: Ports, next: number) => `
primary_hostname = mx.acme.test
spool_directory = ${folder}
log_file_path = syslog
pid_file_path = ${folder}/exim.pid
tls_certificate = ${folder}/cert.pem
tls_privatekey = ${folder}/key.pem
tls_advertise_hosts = *
tls_on_connect_ports = ${tls}
daemon_smtp_ports = ${starttls} : ${tls}
local_interfaces = 127.0.0.1
keep_environment =
auth_advertise_hosts = \${if def:tls_in_cipher{*}}
acl_smtp_rcpt = rcpt
acl_smtp_data = accept
begin acl
rcpt:
  accept authenticated = *
  deny message = authentication required
begin routers
next:
  driver = manualroute
  transport = next
  route_list = * 127.0.0.1::${next} byname
  self = send
begin transports
next:
  driver = smtp
  hosts_avoid_tls = *
  allow_localhost
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_set_id = $auth2
  server_condition = \${if and{{eq{$auth2}{ann}}{eq{$auth3}{${PASSWORD}}}}}
`

/** Starts Exim with STARTTLS on one port and TLS on another. */
async function mailServer(t: Test, next: number): Promise<Ports> {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-exim-'))
  // Exim gives up root before it reads and writes here.
  chmodSync(folder, 0o777)
  const ports = { starttls: await freePort(), tls: await freePort() }
  writeFileSync(join(folder, 'cert.pem'), CERTIFICATE)
  writeFileSync(join(folder, 'key.pem'), PRIVATE_KEY)
  writeFileSync(join(folder, 'exim.conf'), configuration(folder, ports, next))
  const config = join(folder, 'exim.conf')
  const server = spawn(EXIM, ['-C', config, '-bdf'], { stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  server.stderr.on('data', (chunk) => {
    words += chunk
  })
  t.teardown(async () => {
    if (server.exitCode === null) {
      server.kill()
      await once(server, 'exit')
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  for (const port of Object.values(ports)) {
    while (!(await isListening(port))) {
      if (server.exitCode !== null) throw new Error(`Exim ended: ${words}`)
      await sleep(50)
    }
  }
  return ports
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).then((is) => {
    socket.destroy()
    return is === true
  })
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' }
})
const dkim = { domain: 'acme.test', selector: 's1', privateKey }

const forms = [
  ['STARTTLS', (ports: { starttls: number }) => `smtp://ann:%PW%@localhost:${ports.starttls}`],
  ['TLS from the first byte', (ports: { tls: number }) => `smtps://ann:%PW%@localhost:${ports.tls}`]
] as const
for (const [name, urlOf] of forms) {
  test(`Exim takes a signed mail by ${name} and relays it unharmed`, options, async (t) => {
    const { relayed, port } = await nextHop(t)
    const url = urlOf(await mailServer(t, port)).replace('%PW%', encodeURIComponent(PASSWORD))
    const provider = createSmtpProvider({ url, requireTls: true, ca: CERTIFICATE, dkim })
    t.teardown(() => provider.close?.())
    const mail = { ...sampleMail, attachments: sampleFiles }
    t.match(await provider.send(mail, sampleSend()), {
      status: 'accepted',
      raw: { response: /^250/ }
    })
    const arrived = await relayed
    const head = arrived.toString('latin1').split('\r\n\r\n')[0] ?? ''
    t.match(head, /Received: .*with esmtpsa\s+\(TLS1\.\d\)/s)
    t.match(head, `Message-ID: ${sampleSend().messageId}`)
    const resolver = async () => [[`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]]
    const { results } = await dkimVerify(arrived, { resolver, sender: sampleMail.fromEmail })
    t.match(results, [{ status: { result: 'pass', aligned: 'acme.test' } }])
  })
}

test('Exim refuses a wrong password, and mail without one', options, async (t) => {
  const { port } = await nextHop(t)
  const { starttls, tls } = await mailServer(t, port)
  const urls = [`smtp://ann:wrong@localhost:${starttls}`, `smtps://localhost:${tls}`]
  const outcomes = urls.map((url) => {
    const provider = createSmtpProvider({ url, requireTls: true, ca: CERTIFICATE })
    t.teardown(() => provider.close?.())
    return provider.send(sampleMail, sampleSend()).catch((error: Error) => error)
  })
  t.match(await Promise.all(outcomes), [
    { code: 'MLR_MAIL_NOT_TAKEN', message: /AUTH PLAIN answered 535/ },
    { status: 'rejected', reason: 'RCPT TO answered 550 authentication required' }
  ])
})
