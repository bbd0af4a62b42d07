// How a measure of records is written, for every read, alert and tool that takes one.

/** What is measured of a metric: `p95:durationMs`. */
export const METRIC_MEASURES = ['sum', 'avg', 'min', 'max', 'p50', 'p95', 'p99'] as const

/** What a measure may be, in words. `error_rate`: percent of severity error or fatal; `unique`: subjects. */
export const MEASURES = `count, unique, error_rate, or ${METRIC_MEASURES.join(', ')} with :<metric>`

/** The same as a regular expression. */
export const MEASURE_PATTERN = `^(count|unique|error_rate|(${METRIC_MEASURES.join('|')}):[^\\u0000$][^\\u0000]{0,199})$`
