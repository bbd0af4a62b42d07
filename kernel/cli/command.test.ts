// Reading the command line.
import { test } from 'tap'
import { type Command, findCommand, overview, readInvocation, readUnknown } from './command.ts'

const command = (name: string, more: Partial<Command> = {}): Command => ({
  name,
  summary: `Does ${name}.`,
  run: async () => ({ text: '', json: {} }),
  ...more
})

const commands = [
  command('plan'),
  command('telemetry keys'),
  command('telemetry keys create', {
    positionals: '<name> [note]',
    details: 'More about it.',
    options: {
      scope: { type: 'string', multiple: true, placeholder: 'S', description: 'A scope.' },
      loud: { type: 'boolean', description: 'Say more.' }
    }
  })
]
const create = commands[2]!

const line = (text: string) => text.split(' ').filter((word) => word !== '')

test('the command with the most words wins', async (t) => {
  t.equal(findCommand(line('telemetry keys create x'), commands)?.name, 'telemetry keys create')
  t.equal(findCommand(line('telemetry keys list'), commands)?.name, 'telemetry keys')
  t.equal(findCommand(line('plan --json'), commands)?.name, 'plan')
  t.equal(findCommand(line('planned'), commands), undefined)
})

test('arguments, options and --json are read', async (t) => {
  const invocation = readInvocation(
    line('telemetry keys create mine --scope a --scope b --loud --json'),
    create
  )
  t.match(invocation, {
    kind: 'run',
    isJson: true,
    call: { args: ['mine'], options: { scope: ['a', 'b'], loud: true } }
  })
})

const wrong: [string, RegExp][] = [
  ['telemetry keys create', /<name> is missing/],
  ['telemetry keys create a b c', /"c" is one too many/],
  ['telemetry keys create a --nope', /--nope/],
  ['telemetry keys create a --scope', /--scope/]
]
for (const [text, message] of wrong) {
  test(`"${text}" is a wrong use and the message says why`, async (t) => {
    const invocation = readInvocation(line(text), create)
    t.match(invocation, { kind: 'wrong', message, text: /keelson telemetry keys create/ })
  })
}

test('--help wins over everything else and says all there is', async (t) => {
  const invocation = readInvocation(line('telemetry keys create --help'), create)
  t.match(invocation, { kind: 'help' })
  const text = invocation.kind === 'help' ? invocation.text : ''
  for (const part of [
    'keelson telemetry keys create <name> [note] [options]',
    'Does telemetry keys create.',
    'More about it.',
    '--scope S',
    'A scope. May be repeated.',
    '--loud',
    '--json',
    '0 done, 1 failed, 2 wrong use'
  ]) {
    t.ok(text.includes(part), part)
  }
})

test('an unknown command is a wrong use with a hint', async (t) => {
  t.match(readUnknown(line('plna'), commands), { kind: 'wrong', message: /Did you mean "plan"/ })
  t.match(readUnknown(line('something else entirely'), commands), {
    kind: 'wrong',
    message: 'There is no command "something else entirely".'
  })
})

test('nothing at all is a wrong use, --help alone is not', async (t) => {
  t.match(readUnknown([], commands), { kind: 'wrong', message: 'The command is missing.' })
  t.match(readUnknown(['--nope'], commands), { kind: 'wrong' })
  t.match(readUnknown(['--help'], commands), { kind: 'help', text: overview(commands) })
})
