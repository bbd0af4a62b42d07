// What every client sends: the record of the wire, and the parts of it that callers give.

export interface ClientSubject {
  readonly type: string
  readonly id: string
  readonly role?: string
}

/** What can be said about something that happened. The registry of the server decides what it takes. */
export interface RecordDetails {
  readonly attrs?: Readonly<Record<string, string | number | boolean>>
  readonly metrics?: Readonly<Record<string, number>>
  readonly data?: Readonly<Record<string, unknown>>
  readonly body?: string
  readonly severity?: 'debug' | 'info' | 'warn' | 'error' | 'fatal'
  readonly subjects?: readonly ClientSubject[]
  /** `<type>:<id>` of the actor, when that is not the subject. */
  readonly actor?: string
  readonly traceId?: string
  readonly spanId?: string
  readonly parentId?: string
  readonly durationMs?: number
  readonly state?: { readonly key: string; readonly to: string; readonly from?: string }
  readonly usage?: Readonly<Record<string, unknown>>
}

export interface ErrorFrameDetails {
  readonly filename: string
  readonly fn?: string
  readonly lineno: number
  readonly colno: number
}

export interface ErrorDetails {
  readonly type: string
  readonly message: string
  readonly handled: boolean
  readonly frames: readonly ErrorFrameDetails[]
}

/** A record as it waits and travels. Its `_id` stays the same however often it is sent. */
export interface ClientRecord extends RecordDetails {
  readonly _id: string
  readonly name: string
  /** Milliseconds since 1970. */
  readonly occurredAt: number
  readonly error?: ErrorDetails
  readonly anonRef?: string
  readonly userRef?: string
}

/** A span that has begun. */
export interface ClientSpan {
  readonly traceId: string
  readonly spanId: string
  /** W3C header for calls made on behalf of it. */
  readonly traceparent: string
  /** Records it, once; later calls do nothing. */
  end(details?: RecordDetails): void
}
