// The addresses that a mail links to. Pure.
import { Parser } from 'htmlparser2'

/** The `href` of every link, in order, each once. */
export function linksIn(html: string): readonly string[] {
  const links = new Set<string>()
  const parser = new Parser({
    onopentag(name, { href }) {
      if ((name === 'a' || name === 'area') && href !== undefined) links.add(href.trim())
    }
  })
  parser.end(html)
  return [...links]
}

/** Whether a mail program can open it: absolute http(s), mailto or tel. */
export function isOpenable(link: string): boolean {
  if (/^(mailto|tel):\S/i.test(link)) return true
  return /^https?:\/\/[^/\s]/i.test(link) && URL.canParse(link)
}
