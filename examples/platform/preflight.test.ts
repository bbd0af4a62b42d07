// What keeps the demo from starting is said in one sentence with the remedy, before anything is built.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'

interface Preflight {
  obstacleTo(
    env: Readonly<Record<string, string>>,
    nodeVersion?: string
  ): Promise<string | undefined>
}
const address = new URL('../preflight.mjs', import.meta.url).href
const { obstacleTo } = (await import(address)) as Preflight

async function folder(t: { teardown(fn: () => void): void }): Promise<string> {
  const path = mkdtempSync(join(tmpdir(), 'preflight-'))
  t.teardown(() => rmSync(path, { recursive: true }))
  return path
}

test('a Node that is too old is named with the version that is needed', async (t) => {
  t.match(await obstacleTo({}, '18.20.1'), /needs Node 20\.19 or newer; this is Node 18\.20\.1/)
  t.match(await obstacleTo({}, '20.18.0'), /needs Node 20\.19/)
})

async function usedPort(t: { teardown(fn: () => void): void }): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return String((server.address() as { port: number }).port)
}

test('a port in use is named with the remedy', async (t) => {
  const env = { KEELSON_DATA_DIR: await folder(t), PORT: await usedPort(t) }
  t.match(await obstacleTo(env), /^Port \d+ on 127\.0\.0\.1 is in use\. .*set PORT/)
})

test('a mail port in use is named with the remedy', async (t) => {
  const KEELSON_SMTP_PORT = await usedPort(t)
  const env = { KEELSON_DATA_DIR: await folder(t), PORT: '0', KEELSON_SMTP_PORT }
  t.match(await obstacleTo(env), /^The mail port \d+ on .* in use\. .*set KEELSON_SMTP_PORT/)
})

test('a mail port in use keeps no worker from starting, and no host whose mail goes elsewhere', async (t) => {
  const KEELSON_SMTP_PORT = await usedPort(t)
  const env = { KEELSON_DATA_DIR: await folder(t), PORT: '0', KEELSON_SMTP_PORT }
  t.equal(await obstacleTo({ ...env, KEELSON_ROLE: 'worker' }), undefined)
  t.equal(await obstacleTo({ ...env, KEELSON_SMTP_URL: 'smtp://mail.test' }), undefined)
})

test('a data folder that cannot be made is named with the remedy', async (t) => {
  const file = join(await folder(t), 'file')
  writeFileSync(file, '')
  t.match(
    await obstacleTo({ KEELSON_DATA_DIR: join(file, 'data') }),
    /not writable .*KEELSON_DATA_DIR/
  )
  t.match(await obstacleTo({ KEELSON_DATA_DIR: '/proc/keelson' }), /not writable/)
})

test('nothing is in the way of an ordinary start', async (t) => {
  const env = {
    KEELSON_DATA_DIR: join(await folder(t), 'a', 'b'),
    PORT: '0',
    KEELSON_SMTP_PORT: '0'
  }
  t.equal(await obstacleTo(env, '20.19.0'), undefined)
  const remote = { MONGODB_URI: 'mongodb://x', PORT: '0', KEELSON_SMTP_PORT: '0' }
  t.equal(await obstacleTo(remote, '24.0.0'), undefined)
})
