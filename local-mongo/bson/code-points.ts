// Texts counted and cut by characters (code points), without taking them apart.

function isLead(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800
}

/** How many characters a text has. */
export function characterCount(text: string, end = text.length): number {
  let count = 0
  for (let i = 0; i < end; i++) {
    if (isLead(text.charCodeAt(i)) && i + 1 < end) i++
    count++
  }
  return count
}

/** The place in the text where the character of this number begins; its length when there is none. */
export function characterPlace(text: string, number: number, from = 0): number {
  let at = from
  for (let left = number; left > 0 && at < text.length; left--) {
    at += isLead(text.charCodeAt(at)) && at + 1 < text.length ? 2 : 1
  }
  return at
}

/** So many characters from the one of this number. */
export function characterSlice(text: string, start: number, count: number): string {
  const from = characterPlace(text, start)
  return text.slice(from, characterPlace(text, count, from))
}
