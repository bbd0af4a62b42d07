// The quote before cells that a spreadsheet would run as a formula: set by exports, taken away by imports. Pure.

/** A cell that a spreadsheet takes for a formula, or one that has the quote already. */
const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
const ESCAPED = /^''*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

/** The cell as an export writes it. */
export const withFormulaEscape = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell)

/** The cell as it was before an export wrote it. */
export const withoutFormulaEscape = (cell: string): string =>
  ESCAPED.test(cell) ? cell.slice(1) : cell
