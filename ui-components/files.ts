// Rows as a file: CSV for spreadsheets, JSON for everything else.

/** A line of a CSV file: its values by column. */
export type Cells = Readonly<Record<string, unknown>>

/** Quoted where needed; a value that a spreadsheet would run as a formula starts with an apostrophe. */
function cell(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** CSV with one line per row; every key that occurs is a column, in the order of its first row. */
export function csvOf(rows: readonly Cells[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => columns.map((column) => row[column]))
  return [columns, ...lines].map((line) => line.map(cell).join(',')).join('\r\n')
}

/** Downloads a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }))
}

/** Downloads what the API answered as a file. */
export function saveBlob(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
