// What is sent of a template with blocks: either what stands where they hold, or what stands where they do not. Pure.

const BLOCK_TAG = /\{\{~?\s*(#|\/|else\b)([^{}]*)\}\}/g

interface OpenBlock {
  /** Of `if` and `each` the first part is sent where the block holds, of `unless` the other. */
  readonly firstHolds: boolean
  isSent: boolean
}

/** Both forms of a template with blocks; the template alone where it has none. */
export const branchesOf = (html: string): readonly string[] =>
  /\{\{~?\s*#/.test(html) ? [branchOf(html, true), branchOf(html, false)] : [html]

function branchOf(html: string, holds: boolean): string {
  const sent: string[] = []
  const open: OpenBlock[] = []
  /** How many of the open blocks do not send what they are at. */
  let hidden = 0
  let from = 0
  const set = (block: OpenBlock, isSent: boolean) => {
    hidden += Number(block.isSent) - Number(isSent)
    block.isSent = isSent
  }
  for (const match of html.matchAll(BLOCK_TAG)) {
    const [tag, sign, given = ''] = match
    if (hidden === 0) sent.push(html.slice(from, match.index))
    from = match.index + tag.length
    const last = open.at(-1)
    if (sign === '#') {
      const firstHolds = !/^\s*unless\b/.test(given)
      const block = { firstHolds, isSent: true }
      open.push(block)
      set(block, firstHolds === holds)
    } else if (last !== undefined && sign === '/') {
      set(last, true)
      open.pop()
    } else if (last !== undefined) {
      // Of a chain of `else if` the first part is sent, or the last `else`.
      const isChained = /^\s*[^\s~]/.test(given)
      set(last, !isChained && last.firstHolds !== holds)
    }
  }
  if (hidden === 0) sent.push(html.slice(from))
  return sent.join('')
}
