// What the header Retry-After says. Pure. Source: RFC 9110 section 10.2.3.

/** The time that a `Retry-After` names, by seconds from `now` or as a date, in milliseconds; NaN when it is neither. */
export function retryAfterTime(header: string, now: Date): number {
  const text = header.trim()
  return /^\d+$/.test(text) ? now.getTime() + Number(text) * 1000 : Date.parse(text)
}
