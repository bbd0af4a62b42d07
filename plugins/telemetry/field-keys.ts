// Attribute and metric keys as MongoDB field names: dots, dollars and NUL are percent-encoded.

const UNSAFE = /[%.\0]|^\$|^__proto__$/
const ESCAPED = /%([0-9A-F]{2})/g

/** The field name a key is stored under. */
export function encodeKey(key: string): string {
  if (!UNSAFE.test(key)) return key
  const escaped = key.replace(/[%.\0]/g, percent)
  return escaped.startsWith('$') || escaped === '__proto__'
    ? percent(escaped[0] ?? '') + escaped.slice(1)
    : escaped
}

/** The key that a stored field name stands for. */
export function decodeKey(field: string): string {
  if (!field.includes('%')) return field
  return field.replace(ESCAPED, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
