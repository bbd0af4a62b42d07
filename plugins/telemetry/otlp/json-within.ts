// Lists and maps as JSON text of limited length: what does not fit is left out at the end, and that is marked.

const MARK = '…'
const ROOM = 12

/** The JSON of a list or map; a cut list ends with "…", a cut map has the key "…". Other values are not cut. */
export function jsonWithin(value: unknown, maxLength: number): string {
  const whole = JSON.stringify(value)
  if (whole.length <= maxLength || typeof value !== 'object' || value === null) return whole
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((one) => JSON.stringify(one))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`)
  let length = ROOM
  const kept = parts.slice(
    0,
    parts.findIndex((part) => {
      length += part.length + 1
      return length > maxLength
    })
  )
  const mark = JSON.stringify(MARK)
  return isList ? `[${[...kept, mark].join(',')}]` : `{${[...kept, `${mark}:true`].join(',')}}`
}

/** Whether a text was cut so. */
export const isCutJson = (text: string): boolean =>
  text.endsWith(`"${MARK}"]`) || text.endsWith(`"${MARK}":true}`)
