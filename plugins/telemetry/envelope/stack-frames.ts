// Frames of a stack trace as text, where the error was thrown first: V8, Firefox and Safari, Python, Java, .NET, Go, Ruby, PHP. Pure.
import { clipText } from '../bounds.ts'
import type { ErrorFrame } from '../schemas/envelope.ts'

const MAX_TEXT = 32_768
const MAX_LINES = 400
const MAX_FRAMES = 100

/** One way of writing a stack. `read` gets a line and the one after it. */
interface Notation {
  read(line: string, next: string): ErrorFrame | undefined
  /** Of files or functions that are not the application's. */
  readonly foreign: RegExp
  /** The innermost frame comes last. */
  readonly isOutermostFirst?: true
  /** Begins the trace of the error itself where another one comes before. */
  readonly begins?: RegExp
  /** Begins the trace of its cause. */
  readonly ends?: RegExp
}

const frame = (
  foreign: RegExp,
  fn: string | undefined,
  filename: string | undefined,
  lineno?: string,
  colno?: string
): ErrorFrame => ({
  ...(filename !== undefined && filename !== '' && { filename }),
  ...(fn !== undefined && fn !== '' && { fn }),
  ...(lineno !== undefined && { lineno: Number(lineno) }),
  ...(colno !== undefined && { colno: Number(colno) }),
  inApp: !foreign.test(`${filename ?? ''} ${fn ?? ''}`)
})

/** A notation whose frame is one line; the groups are named fn, file, line and column. */
function lines(pattern: RegExp, foreign: RegExp, more: Partial<Notation> = {}): Notation {
  return {
    foreign,
    read(line) {
      const groups = pattern.exec(line)?.groups
      if (groups === undefined) return undefined
      return frame(foreign, groups['fn'], groups['file'], groups['line'], groups['column'])
    },
    ...more
  }
}

const V8 = lines(
  /^\s*at (?:(?<fn>.{1,300}?) \()?(?:file:\/\/)?(?<file>[^()\s]{1,400}):(?<line>\d{1,9}):(?<column>\d{1,9})\)?$/,
  /node_modules|^(?:node|internal):/
)
const GECKO = lines(
  /^(?<fn>[^@\s]{0,300})@(?<file>\S{1,400}?):(?<line>\d{1,9}):(?<column>\d{1,9})$/,
  /node_modules/
)
const PYTHON = lines(
  /^\s*File "(?<file>[^"]{1,400})", line (?<line>\d{1,9}), in (?<fn>.{1,300})$/,
  /site-packages|dist-packages|\/lib\/python\d|^<frozen /,
  { isOutermostFirst: true, begins: /^Traceback \(most recent call last\):/ }
)
const JAVA = lines(
  /^\s*at (?:[\w.@-]{1,100}\/)*(?<fn>[\w.$<>]{1,300})\((?:(?<file>[\w$.-]{1,200})(?::(?<line>\d{1,9}))?|Native Method|Unknown Source)\)/,
  /\s(?:javax?|jakarta|jdk|sun|com\.sun|kotlinx?|scala|groovy|org\.(?:springframework|apache|eclipse|hibernate|jboss|junit)|io\.(?:netty|undertow|vertx|micrometer|opentelemetry)|reactor)\./,
  { ends: /^Caused by: |^\s*Suppressed: / }
)
const DOTNET = lines(
  /^\s*at (?<fn>[^()]{1,300}\([^)]{0,300}\))(?: in (?<file>.{1,400}):line (?<line>\d{1,9}))?$/,
  /^ |\s(?:System|Microsoft|Newtonsoft)\./,
  { ends: /^\s*--- End of inner exception stack trace ---/ }
)
const RUBY = lines(
  /^\s*(?:from )?(?<file>[^\s:"]{1,400}\.(?:rb|erb|rake|ru|haml|slim)):(?<line>\d{1,9})(?::in ['`](?<fn>[^'\n]{1,300})')?/,
  /\/gems\/|\/lib\/ruby\/|^<internal:/
)
const PHP = lines(
  /^#\d{1,4} (?<file>[^\s(]{1,400})\((?<line>\d{1,9})\): (?<fn>[^(]{1,300})/,
  /\/vendor\//
)

const GO_FUNCTION =
  /^(?<fn>[\w./*()[\]{}·-]{1,300}?)\((?:[^()]*|\.\.\.)\)$|^created by (?<by>[\w./*()·-]{1,300})/
const GO_PLACE = /^\t(?<file>\S{1,400}\.(?:go|s)):(?<line>\d{1,9})/
const GO_FOREIGN =
  /\/(?:pkg\/mod|usr\/local\/go\/src|go\/src\/runtime|vendor)\/|^\S* (?:runtime|net\/http|testing)\./
const GO: Notation = {
  foreign: GO_FOREIGN,
  read(line, next) {
    const named = GO_FUNCTION.exec(line)?.groups
    const place = GO_PLACE.exec(next)?.groups
    if (named === undefined || place === undefined) return undefined
    return frame(GO_FOREIGN, named['fn'] ?? named['by'], place['file'], place['line'])
  }
}

/** Those whose lines are told apart most surely come first. */
const NOTATIONS: readonly Notation[] = [PYTHON, V8, GO, JAVA, PHP, RUBY, DOTNET, GECKO]

/** Frames of the text in the notation that its first frame is written in; none where the text is not a stack. */
export function framesOf(stack: string): readonly ErrorFrame[] {
  const all = clipText(stack, MAX_TEXT).split(/\r?\n/).slice(0, MAX_LINES)
  for (const [at, line] of all.entries()) {
    const notation = NOTATIONS.find(({ read }) => read(line, all[at + 1] ?? '') !== undefined)
    if (notation !== undefined) return readAll(notation, all)
  }
  return []
}

function readAll(notation: Notation, all: readonly string[]): readonly ErrorFrame[] {
  const { begins, ends, isOutermostFirst = false } = notation
  const begin = begins === undefined ? -1 : all.findLastIndex((line) => begins.test(line))
  const own = all.slice(begin + 1)
  const end = ends === undefined ? -1 : own.findIndex((line) => ends.test(line))
  const lines = end < 0 ? own : own.slice(0, end)
  const frames = lines.flatMap((line, at) => notation.read(line, lines[at + 1] ?? '') ?? [])
  return (isOutermostFirst ? frames.toReversed() : frames).slice(0, MAX_FRAMES)
}
