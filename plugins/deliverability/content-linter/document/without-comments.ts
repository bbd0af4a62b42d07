// Content without its comments: what no one receives, or sees, satisfies no rule. Pure.

/** Without comments of the template language: `{{! … }}` and `{{!-- … --}}`. One without an end stays. */
export function withoutSlotComments(text: string): string {
  const parts: string[] = []
  let kept = 0
  for (let start = text.indexOf('{{'); start >= 0; ) {
    const mark = text.startsWith('~', start + 2) ? start + 3 : start + 2
    const end = text.startsWith('!', mark) ? endOfComment(text, mark) : start + 2
    if (end === undefined) break
    if (end > start + 2) {
      parts.push(text.slice(kept, start))
      kept = end
    }
    start = text.indexOf('{{', end)
  }
  return parts.concat(text.slice(kept)).join('')
}

function endOfComment(text: string, mark: number): number | undefined {
  const end = text.startsWith('!--', mark) ? /--~?\}\}/g : /\}\}/g
  end.lastIndex = mark + 1
  return end.exec(text) === null ? undefined : end.lastIndex
}

/** Without HTML comments; those with a condition are content of Outlook and stay. */
export function withoutHtmlComments(html: string): string {
  const parts: string[] = []
  let kept = 0
  for (let start = html.indexOf('<!--'); start >= 0; start = html.indexOf('<!--', kept)) {
    const end = html.indexOf('-->', start + 2)
    const close = end < 0 ? html.length : end + 3
    const isCondition = /^<!--\s*(\[if|<!\[)/i.test(html.slice(start, start + 20))
    parts.push(html.slice(kept, isCondition ? close : start))
    kept = close
  }
  return parts.concat(html.slice(kept)).join('')
}

/** Without comments of CSS. One without an end hides the rest. */
export const withoutCssComments = (css: string): string => {
  const [first = '', ...rest] = css.split('/*')
  return rest.reduce((kept, part) => {
    const end = part.indexOf('*/')
    return end < 0 ? kept : kept + part.slice(end + 2)
  }, first)
}
