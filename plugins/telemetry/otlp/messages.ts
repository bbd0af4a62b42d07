// The OTLP messages: field numbers of the protobuf form and the names of the JSON form, which is what both
// are read into. Source: opentelemetry-proto 1.x, collector, trace, logs, metrics and common v1.

/** How a field's bytes are read. `hex` and `base64` are bytes fields in their JSON forms. */
export type FieldType =
  | 'string'
  | 'hex'
  | 'base64'
  | 'bool'
  | 'int32'
  | 'sint32'
  | 'int64'
  | 'fixed64'
  | 'sfixed64'
  | 'double'
  | (() => Message)

export interface Field {
  readonly name: string
  readonly type: FieldType
  readonly isList?: true
}

/** Field number to field. */
export type Message = ReadonlyMap<number, Field>

const one = (name: string, type: FieldType): Field => ({ name, type })
const list = (name: string, type: FieldType): Field => ({ name, type, isList: true })
const message = (fields: Readonly<Record<number, Field>>): Message =>
  new Map(Object.entries(fields).map(([number, field]) => [Number(number), field]))

const anyValue: Message = message({
  1: one('stringValue', 'string'),
  2: one('boolValue', 'bool'),
  3: one('intValue', 'int64'),
  4: one('doubleValue', 'double'),
  5: one('arrayValue', () => arrayValue),
  6: one('kvlistValue', () => keyValueList),
  7: one('bytesValue', 'base64')
})
const arrayValue = message({ 1: list('values', () => anyValue) })
const keyValue = message({ 1: one('key', 'string'), 2: one('value', () => anyValue) })
const keyValueList = message({ 1: list('values', () => keyValue) })
const attributes = list('attributes', () => keyValue)

const resource = message({ 1: attributes })
const scope = message({
  1: one('name', 'string'),
  2: one('version', 'string'),
  3: attributes
})

const spanEvent = message({
  1: one('timeUnixNano', 'fixed64'),
  2: one('name', 'string'),
  3: attributes
})
const spanLink = message({ 1: one('traceId', 'hex'), 2: one('spanId', 'hex'), 4: attributes })
const status = message({ 2: one('message', 'string'), 3: one('code', 'int32') })
const span = message({
  1: one('traceId', 'hex'),
  2: one('spanId', 'hex'),
  3: one('traceState', 'string'),
  4: one('parentSpanId', 'hex'),
  5: one('name', 'string'),
  6: one('kind', 'int32'),
  7: one('startTimeUnixNano', 'fixed64'),
  8: one('endTimeUnixNano', 'fixed64'),
  9: attributes,
  11: list('events', () => spanEvent),
  13: list('links', () => spanLink),
  15: one('status', () => status)
})
const scopeSpans = message({ 1: one('scope', () => scope), 2: list('spans', () => span) })
const resourceSpans = message({
  1: one('resource', () => resource),
  2: list('scopeSpans', () => scopeSpans)
})

const logRecord = message({
  1: one('timeUnixNano', 'fixed64'),
  2: one('severityNumber', 'int32'),
  3: one('severityText', 'string'),
  5: one('body', () => anyValue),
  6: attributes,
  9: one('traceId', 'hex'),
  10: one('spanId', 'hex'),
  11: one('observedTimeUnixNano', 'fixed64'),
  12: one('eventName', 'string')
})
const scopeLogs = message({ 1: one('scope', () => scope), 2: list('logRecords', () => logRecord) })
const resourceLogs = message({
  1: one('resource', () => resource),
  2: list('scopeLogs', () => scopeLogs)
})

const exemplar = message({
  2: one('timeUnixNano', 'fixed64'),
  3: one('asDouble', 'double'),
  4: one('spanId', 'hex'),
  5: one('traceId', 'hex'),
  6: one('asInt', 'sfixed64')
})
const numberPoint = message({
  2: one('startTimeUnixNano', 'fixed64'),
  3: one('timeUnixNano', 'fixed64'),
  4: one('asDouble', 'double'),
  5: list('exemplars', () => exemplar),
  6: one('asInt', 'sfixed64'),
  7: attributes
})
const histogramPoint = message({
  2: one('startTimeUnixNano', 'fixed64'),
  3: one('timeUnixNano', 'fixed64'),
  4: one('count', 'fixed64'),
  5: one('sum', 'double'),
  6: list('bucketCounts', 'fixed64'),
  7: list('explicitBounds', 'double'),
  8: list('exemplars', () => exemplar),
  9: attributes,
  11: one('min', 'double'),
  12: one('max', 'double')
})
const exponentialBuckets = message({
  1: one('offset', 'sint32'),
  2: list('bucketCounts', 'int64')
})
const exponentialPoint = message({
  1: attributes,
  2: one('startTimeUnixNano', 'fixed64'),
  3: one('timeUnixNano', 'fixed64'),
  4: one('count', 'fixed64'),
  5: one('sum', 'double'),
  6: one('scale', 'sint32'),
  7: one('zeroCount', 'fixed64'),
  8: one('positive', () => exponentialBuckets),
  9: one('negative', () => exponentialBuckets),
  11: list('exemplars', () => exemplar),
  12: one('min', 'double'),
  13: one('max', 'double')
})
const quantile = message({ 1: one('quantile', 'double'), 2: one('value', 'double') })
const summaryPoint = message({
  2: one('startTimeUnixNano', 'fixed64'),
  3: one('timeUnixNano', 'fixed64'),
  4: one('count', 'fixed64'),
  5: one('sum', 'double'),
  6: list('quantileValues', () => quantile),
  7: attributes
})
const points = (point: Message): Message =>
  message({
    1: list('dataPoints', () => point),
    2: one('aggregationTemporality', 'int32'),
    3: one('isMonotonic', 'bool')
  })
const numberPoints = points(numberPoint)
const histogramPoints = points(histogramPoint)
const exponentialPoints = points(exponentialPoint)
const summaryPoints = points(summaryPoint)
const metric = message({
  1: one('name', 'string'),
  2: one('description', 'string'),
  3: one('unit', 'string'),
  5: one('gauge', () => numberPoints),
  7: one('sum', () => numberPoints),
  9: one('histogram', () => histogramPoints),
  10: one('exponentialHistogram', () => exponentialPoints),
  11: one('summary', () => summaryPoints)
})
const scopeMetrics = message({ 1: one('scope', () => scope), 2: list('metrics', () => metric) })
const resourceMetrics = message({
  1: one('resource', () => resource),
  2: list('scopeMetrics', () => scopeMetrics)
})

/** The export requests of the three signals. */
export const REQUESTS = {
  traces: message({ 1: list('resourceSpans', () => resourceSpans) }),
  logs: message({ 1: list('resourceLogs', () => resourceLogs) }),
  metrics: message({ 1: list('resourceMetrics', () => resourceMetrics) })
} as const

export type Signal = keyof typeof REQUESTS
