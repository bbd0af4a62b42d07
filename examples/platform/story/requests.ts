// The requests that an act of a visitor causes, as spans of one trace: what waited for what.
import type { Diary } from './record.ts'

interface Call {
  readonly method: string
  readonly route: string
  /** About how long it works itself, in milliseconds. */
  readonly tookMs: number
  readonly calls?: readonly Call[]
  /** Its calls run side by side, not one after the other. */
  readonly isParallel?: boolean
}

export const REGISTER: Call = {
  method: 'POST',
  route: '/account',
  tookMs: 40,
  calls: [
    { method: 'GET', route: '/risk/score', tookMs: 70 },
    { method: 'POST', route: '/mail/welcome', tookMs: 35 }
  ]
}

export const CHECKOUT: Call = {
  method: 'POST',
  route: '/checkout',
  tookMs: 45,
  calls: [
    { method: 'POST', route: '/stock/reserve', tookMs: 30 },
    {
      method: 'GET',
      route: '/cart/total',
      tookMs: 15,
      isParallel: true,
      calls: [
        { method: 'GET', route: '/stock', tookMs: 28 },
        { method: 'GET', route: '/prices', tookMs: 42 }
      ]
    },
    { method: 'POST', route: '/payments/charge', tookMs: 310 }
  ]
}

export const SEARCH: Call = {
  method: 'GET',
  route: '/search',
  tookMs: 25,
  calls: [{ method: 'GET', route: '/catalog/query', tookMs: 90 }]
}

interface Traced {
  readonly traceId: string
  /** Status of the whole and of the last call in it; 200 without. */
  readonly status?: number
  /** Every call takes this many times as long; 1 without. */
  readonly slower?: number
}

/** Writes a call with all that it calls; answers how long it took, in milliseconds. */
export function tellCall(
  diary: Diary,
  call: Call,
  traced: Traced,
  parent?: { readonly spanId: string; readonly afterMs: number }
): number {
  const { chance } = diary
  const spanId = chance.hex(16)
  const own = chance.around(call.tookMs) * (traced.slower ?? 1)
  const beganMs = parent?.afterMs ?? 0
  const calls = call.calls ?? []
  let tookMs = own / 2
  let longest = 0
  for (const [at, inner] of calls.entries()) {
    const { status, ...rest } = traced
    const isLast = at === calls.length - 1
    const given = isLast && status !== undefined ? traced : rest
    const took = tellCall(diary, inner, given, { spanId, afterMs: beganMs + tookMs })
    longest = Math.max(longest, took)
    if (call.isParallel !== true) tookMs += took
  }
  if (call.isParallel === true) tookMs += longest
  tookMs = Math.round((tookMs + own / 2) * 10) / 10
  const { method, route } = call
  diary.tell(
    'http.request',
    {
      traceId: traced.traceId,
      spanId,
      ...(parent !== undefined && { parentId: parent.spanId }),
      durationMs: tookMs,
      ...((traced.status ?? 200) >= 500 && { severity: 'error' as const }),
      attrs: { method, route, status: String(traced.status ?? 200) }
    },
    Math.round(beganMs)
  )
  return tookMs
}
