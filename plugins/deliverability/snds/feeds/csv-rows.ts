// Rows of comma-separated values, as SNDS writes them: quotes are allowed, and not needed.

/** The fields of each line that is not empty, without the space around them. */
export function csvRows(text: string): readonly (readonly string[])[] {
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .map(fieldsOf)
}

function fieldsOf(line: string): readonly string[] {
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at]
    if (char === '"' && isQuoted && line[at + 1] === '"') {
      field += '"'
      at += 1
    } else if (char === '"' && (isQuoted || field.trim() === '')) {
      if (!isQuoted) field = ''
      isQuoted = !isQuoted
    } else if (char === ',' && !isQuoted) {
      fields.push(field.trim())
      field = ''
    } else {
      field += char
    }
  }
  return [...fields, field.trim()]
}
