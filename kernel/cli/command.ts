// What a command is, and reading the command line into one.
import { parseArgs } from 'node:util'
import type { CommandAnswer, CommandCall, CommandOption } from '@keelson/sdk'
import { nearestName } from '@keelson/sdk'

/** Where a command runs. */
export interface CommandContext {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isJson: boolean
  /** For commands that go on: prints at once. */
  say(text: string, json: unknown): void
  /** Prints a line beside the answer, to stderr. */
  note(text: string): void
  /** Prints a question and reads one line of the answer; undefined at the end of the input. */
  ask(question: string): Promise<string | undefined>
}

export interface Command {
  /** One or more words: `plan`, `telemetry keys create`. */
  readonly name: string
  readonly summary: string
  /** More lines for `--help`. */
  readonly details?: string
  /** `<name>` is required, `[dir]` is optional. */
  readonly positionals?: string
  readonly options?: Readonly<Record<string, CommandOption>>
  run(context: CommandContext, call: CommandCall): Promise<CommandAnswer>
}

export type Invocation =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'wrong'; readonly message: string; readonly text: string }
  | {
      readonly kind: 'run'
      readonly command: Command
      readonly isJson: boolean
      readonly call: Omit<CommandCall, 'signal'>
    }

const COMMON: Readonly<Record<string, CommandOption>> = {
  json: { type: 'boolean', description: 'Print one JSON value instead of text.' },
  help: { type: 'boolean', description: 'Print this.' }
}

/** The command whose words the line begins with; the longest name wins. */
export function findCommand(
  argv: readonly string[],
  commands: readonly Command[]
): Command | undefined {
  return commands
    .filter(({ name }) => name.split(' ').every((word, at) => argv[at] === word))
    .toSorted((a, b) => b.name.split(' ').length - a.name.split(' ').length)[0]
}

/** Reads what follows the name of a command. */
export function readInvocation(argv: readonly string[], command: Command): Invocation {
  const text = helpOf(command)
  const rest = argv.slice(command.name.split(' ').length)
  const options = { ...command.options, ...COMMON }
  const specs = Object.fromEntries(
    Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }])
  )
  try {
    const parsed = parseArgs({ args: [...rest], options: specs, allowPositionals: true })
    const { json = false, help = false, ...values } = parsed.values
    if (help === true) return { kind: 'help', text }
    const message = positionalFault(command.positionals ?? '', parsed.positionals)
    if (message !== undefined) return { kind: 'wrong', message, text }
    const call = { args: parsed.positionals, options: values as CommandCall['options'] }
    return { kind: 'run', command, isJson: json === true, call }
  } catch (error) {
    // parseArgs throws on what it does not know, with a sentence that says what.
    return { kind: 'wrong', message: error instanceof Error ? error.message : `${error}`, text }
  }
}

/** For a line that names no command. */
export function readUnknown(argv: readonly string[], commands: readonly Command[]): Invocation {
  const text = overview(commands)
  const words = argv.filter((word) => !word.startsWith('-'))
  if (words.length === 0) {
    const isHelp = argv.length === 0 || argv.includes('--help')
    return isHelp && argv.length > 0
      ? { kind: 'help', text }
      : { kind: 'wrong', message: 'The command is missing.', text }
  }
  const typed = words.join(' ')
  const near = nearestName(
    typed,
    commands.map((command) => command.name)
  )
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`
  return { kind: 'wrong', message: `There is no command "${typed}".${hint}`, text }
}

function positionalFault(spec: string, values: readonly string[]): string | undefined {
  const names = spec.split(' ').filter((name) => name !== '')
  const missing = names.filter((name) => name.startsWith('<'))[values.length]
  if (missing !== undefined) return `${missing} is missing.`
  return values.length > names.length ? `"${values[names.length]}" is one too many.` : undefined
}

export function helpOf(command: Command): string {
  const options = Object.entries({ ...command.options, ...COMMON })
  const rows = options.map(([name, { type, placeholder, multiple, description }]) => {
    const value = type === 'string' ? ` ${placeholder ?? name.toUpperCase()}` : ''
    return [`--${name}${value}`, `${description}${multiple === true ? ' May be repeated.' : ''}`]
  })
  const positionals = command.positionals === undefined ? '' : ` ${command.positionals}`
  return [
    `keelson ${command.name}${positionals} [options]`,
    '',
    command.summary,
    ...(command.details === undefined ? [] : ['', command.details]),
    '',
    ...table(rows),
    '',
    'Exit codes: 0 done, 1 failed, 2 wrong use.'
  ].join('\n')
}

export function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [command.name, command.summary])
  return [
    'keelson <command> [options]',
    '',
    ...table(rows),
    '',
    'Every command has --help and --json. The config is KEELSON_CONFIG, or keelson.config.json',
    'in this folder, or the file that "keelson": { "config" } in its package.json names.'
  ].join('\n')
}

/** Columns of text, two spaces in. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  }
  return rows.map((row) =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()
  )
}
