// The command line as a whole: help, wrong use, exit codes, the bin.
import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'tap'
import { keelson } from './testing/platform-folder.ts'

const BIN = fileURLToPath(new URL('../../cli/keelson.mjs', import.meta.url))
const runFile = promisify(execFile)

for (const command of ['plan', 'apply', 'check', 'create', 'build', 'dev', 'doctor']) {
  test(`${command} --help names the command and --json`, async (t) => {
    const { code, stdout } = await keelson(t.testdir(), [command, '--help'])
    t.equal(code, 0)
    t.match(stdout, new RegExp(`keelson ${command}\\b[\\s\\S]*--json`))
  })
}

test('--help lists the commands', async (t) => {
  const { code, stdout } = await keelson(t.testdir(), ['--help'])
  t.equal(code, 0)
  t.match(stdout, /plan[\s\S]*apply[\s\S]*check[\s\S]*create[\s\S]*dev[\s\S]*doctor/)
})

for (const args of [[], ['no-such-command'], ['plan', '--no-such-flag'], ['create']]) {
  test(`"keelson ${args.join(' ')}" exits with 2 and says so on stderr`, async (t) => {
    const { code, stdout, stderr } = await keelson(t.testdir(), args)
    t.equal(code, 2)
    t.equal(stdout, '')
    t.ok(stderr.length > 0)
  })
}

test('the bin runs the command line', async (t) => {
  const { stdout } = await runFile(process.execPath, [BIN, 'plan', '--help'], { cwd: t.testdir() })
  t.match(stdout, /keelson plan/)
})

test('the bin says what to do when nothing is built', async (t) => {
  const folder = t.testdir({ cli: {} })
  await cp(BIN, join(folder, 'cli', 'keelson.mjs'))
  const failed = await runFile(process.execPath, [join(folder, 'cli', 'keelson.mjs')]).catch(
    (error) => error
  )
  t.match(failed, { code: 1, stderr: /npm run build/ })
})

test('without a config plan fails and says where it looked', async (t) => {
  const { code, stderr, json } = await keelson(t.testdir(), ['plan', '--json'])
  t.equal(code, 1)
  t.match(stderr, /keelson\.config\.json.*KEELSON_CONFIG/s)
  t.match(json, { error: { code: 'KRN_CLI_CONFIG_MISSING', remedy: String } })
})

test('--version names the version, the API and Node', async (t) => {
  const { code, stdout } = await keelson(t.testdir(), ['--version'])
  t.equal(code, 0)
  t.match(stdout, /^keelson \d+\.\d+\.\d+ \(kernel API 1\.0\.0, Node \d+\.\d+\.\d+\)\n$/)
})
