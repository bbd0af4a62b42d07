// Which files a .gitignore leaves out. Pure.

interface Rule {
  readonly pattern: RegExp
  readonly isKept: boolean
}

/**
 * What the text of a .gitignore says of a path below its folder, with `/` between its parts. As Git has it: the last
 * rule that matches decides, and nothing below a folder that is left out comes back.
 *
 * @see https://git-scm.com/docs/gitignore
 */
export function ignoredBy(text: string): (path: string) => boolean {
  const rules = text.split('\n').flatMap(ruleOf)
  const isIgnored = (path: string): boolean =>
    rules.findLast(({ pattern }) => pattern.test(path))?.isKept === false
  return (path) => {
    const parts = path.split('/')
    return parts.some((_, at) => isIgnored(parts.slice(0, at + 1).join('/')))
  }
}

function ruleOf(line: string): readonly Rule[] {
  const text = line.trim()
  if (text === '' || text.startsWith('#')) return []
  const isKept = text.startsWith('!')
  const named = text.replace(/^[!\\]/, '').replace(/\/$/, '')
  const isAnchored = named.includes('/')
  const body = named.replace(/^\//, '').replace(GLOB, (sign) => EXPRESSIONS[sign] ?? `\\${sign}`)
  return [{ pattern: new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${body}$`), isKept }]
}

const GLOB = /\*\*\/|\/\*\*$|\*|\?|[.+^${}()|[\]\\]/g
const EXPRESSIONS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '/**': '/.*',
  '*': '[^/]*',
  '?': '[^/]'
}
