// Every bound of a record, and the one way texts are clipped.

export const BOUNDS = {
  /** Characters of `body`, unless the host says otherwise. */
  body: 16_384,
  /** Characters of one attribute, unless it is declared shorter. */
  attr: 4096,
  /** Characters of all attributes of a record together. */
  attrsTotal: 32_768,
  /** Attributes of a record with an open name. */
  openAttrs: 128,
  /** Metrics of a record with an open name. */
  openMetrics: 64,
  /** Characters of an attribute key of an open name. */
  openKey: 200,
  name: 200,
  errorMessage: 4096,
  frames: 50,
  frameText: 500,
  contextLines: 11,
  contextText: 200,
  traceText: 64,
  dataKeys: 12,
  dataText: 200,
  dataItems: 20,
  dataJson: 4096,
  clientText: 300,
  dedupeKey: 200,
  /** Of a number, either side of zero: beyond it whole numbers lose digits, and sums could become infinite. */
  number: 9e15
} as const

/** Whether a value is a number that can be kept and added up. */
export const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= BOUNDS.number

/** The text, or its beginning; never half of a surrogate pair. */
export function clipText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const last = text.charCodeAt(maxLength - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isHalf ? maxLength - 1 : maxLength)
}

/** The body, or its beginning and how much is missing. */
export function clipBody(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const head = clipText(text, maxLength)
  return `${head}… [truncated ${text.length - head.length} chars]`
}

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !ArrayBuffer.isView(value)
