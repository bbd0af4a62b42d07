// Where a text stops being JSON, in words that hold nothing of the text: it may be a secret. Pure.

/** A string, a number or a word, a sign, in that order. White space before it is skipped. */
const TOKEN =
  /[ \t\n\r]*(?:("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|\x7f|[\u0080-\u009f])*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:]))/uy

type Kind = 'string' | 'word' | '{' | '}' | '[' | ']' | ',' | ':'

/** What may come next, and how it is called. */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or }' | ', or ]' | 'end'

const WORDS: Readonly<Record<Expected, string>> = {
  value: 'a value',
  'value or ]': 'a value or ]',
  name: 'a name in double quotes',
  'name or }': 'a name in double quotes or }',
  ':': 'a colon',
  ', or }': 'a comma or }',
  ', or ]': 'a comma or ]',
  end: 'the end of the file'
}

/** `line 3, column 5: expected a value`; undefined for JSON. */
export function jsonFault(text: string): string | undefined {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let hadComma = false
  for (let at = 0; ; ) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)
    if (token === null && /^[ \t\n\r]*$/.test(text.slice(at)) && expected === 'end')
      return undefined
    const start = token === null ? firstSign(text, at) : TOKEN.lastIndex - lengthOf(token)
    const next: Expected | undefined =
      token === null ? undefined : after(kindOf(token), expected, open)
    if (next === undefined) return faultAt(text, start, expected, hadComma)
    hadComma = token?.[3] === ','
    expected = next
    at = TOKEN.lastIndex
  }
}

const kindOf = ([, string, word, sign]: RegExpExecArray): Kind =>
  string !== undefined ? 'string' : word !== undefined ? 'word' : (sign as Kind)

const lengthOf = ([, ...parts]: RegExpExecArray): number =>
  parts.find((part) => part !== undefined)?.length ?? 0

const firstSign = (text: string, at: number): number => at + text.slice(at).search(/[^ \t\n\r]|$/)

/** What must follow a token; undefined where the token may not be. Opens and closes what it says. */
function after(kind: Kind, expected: Expected, open: ('{' | '[')[]): Expected | undefined {
  const closed = (): Expected => {
    const outer = open.at(-1)
    return outer === undefined ? 'end' : outer === '{' ? ', or }' : ', or ]'
  }
  const isClosing = kind === '}' || kind === ']'
  if (isClosing && expected.endsWith(`or ${kind}`)) {
    open.pop()
    return closed()
  }
  if (expected.startsWith('name')) return kind === 'string' ? ':' : undefined
  if (expected.startsWith('value')) {
    if (kind === 'string' || kind === 'word') return closed()
    if (kind !== '{' && kind !== '[') return undefined
    open.push(kind)
    return kind === '{' ? 'name or }' : 'value or ]'
  }
  if (expected === ':') return kind === ':' ? 'value' : undefined
  if (kind !== ',' || expected === 'end') return undefined
  return open.at(-1) === '{' ? 'name' : 'value'
}

function faultAt(text: string, at: number, expected: Expected, hadComma: boolean): string {
  const lines = text.slice(0, at).split('\n')
  const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
  const isTrailing = hadComma && /[}\]]/.test(text[at] ?? '')
  if (isTrailing) return `${place}: remove the comma before ${text[at]}`
  const isComment = text[at] === '/'
  return `${place}: expected ${WORDS[expected]}${isComment ? '; JSON has no comments' : ''}`
}
