// Counts and times requests, and sends request spans. Where no spans are wanted, nothing is built per request.
import type { ServerResponse } from 'node:http'
// The global of this name is a getter, which is slower than the rest of a reading.
import { performance } from 'node:perf_hooks'
import type { Clock } from '@keelson/sdk'
import {
  type RequestSpan,
  type RequestSpanSink,
  requestSpans
} from '@keelson/sdk/contracts/request-spans'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { beginRequestTrace, type RequestTrace } from '../fastify-internals/request-trace.ts'
import type { CustomFamily, MetricsRegistry } from '../health/metrics.ts'

/** The counters of one route. `begin` is called once for each of its requests. */
export interface RouteMeter {
  begin(request: FastifyRequest, reply: FastifyReply): void
}

export interface MeteredRoute {
  readonly plugin: string
  readonly method: string
  /** The route's pattern, never the address itself. */
  readonly route: string
  /** Its requests make no spans: probes of the host are frequent and say nothing. */
  readonly isQuiet: boolean
}

export interface Measuring {
  meter(route: MeteredRoute): RouteMeter
  /** How many answers are not finished. */
  inHand(): number
}

export interface MeasuringOptions {
  readonly metrics: MetricsRegistry
  readonly clock: Clock
  /** Live: contributors of `requestSpans`. */
  readonly sinks: readonly RequestSpanSink[]
  readonly log: FastifyBaseLogger
}

const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Plain numbers of one route: status classes, and how long requests took. */
interface Tally {
  readonly labels: string
  /** By first digit of the status. */
  readonly classes: Float64Array
  /** One more than there are bounds. */
  readonly buckets: Float64Array
  seconds: number
}

/**
 * What the meter leaves on an answer until it is closed. Properties and one shared listener are
 * cheaper than a closure per request (test/bench/what-does-the-kernel-cost-a-route).
 */
const STARTED = Symbol('keelson.started')
const REQUEST = Symbol('keelson.request')
const TRACE = Symbol('keelson.trace')

type MeteredAnswer = ServerResponse & {
  [STARTED]?: number
  [REQUEST]?: FastifyRequest
  [TRACE]?: RequestTrace
}

export function createMeasuring(options: MeasuringOptions): Measuring {
  const { metrics, sinks } = options
  const tallies = new Map<string, Tally>()
  let inHand = 0
  metrics.family(requestsFamily(tallies))
  metrics.family(durationFamily(tallies))
  const sendSpan = createSpanSender(options)

  return {
    inHand: () => inHand,
    meter(route) {
      const tally = tallyOf(tallies, route)
      // `close` comes after the last byte, and also when the caller went away.
      const onClose = function (this: MeteredAnswer): void {
        inHand--
        const durationMs = performance.now() - (this[STARTED] ?? 0)
        const status = this.writableEnded ? this.statusCode : 499
        count(tally, status, durationMs / 1000)
        const { [REQUEST]: request, [TRACE]: trace } = this
        if (request === undefined || trace === undefined) return
        sendSpan({ route, request, trace, status, durationMs })
      }
      return {
        begin(request, reply) {
          const raw = reply.raw as MeteredAnswer
          if (raw[STARTED] !== undefined) return
          raw[STARTED] = performance.now()
          if (sinks.length > 0 && !route.isQuiet) {
            raw[REQUEST] = request
            raw[TRACE] = beginRequestTrace(request.headers['traceparent'])
          }
          inHand++
          raw.on('close', onClose)
        }
      }
    }
  }
}

function tallyOf(tallies: Map<string, Tally>, { plugin, method, route }: MeteredRoute): Tally {
  const labels = `plugin="${escaped(plugin)}",method="${method}",route="${escaped(route)}"`
  const known = tallies.get(labels)
  if (known !== undefined) return known
  const buckets = new Float64Array(BOUNDS.length + 1)
  const made = { labels, classes: new Float64Array(10), buckets, seconds: 0 }
  tallies.set(labels, made)
  return made
}

function count(tally: Tally, status: number, seconds: number): void {
  const digit = Math.floor(status / 100)
  tally.classes[digit] = (tally.classes[digit] ?? 0) + 1
  let at = 0
  while (at < BOUNDS.length && seconds > (BOUNDS[at] ?? 0)) at++
  tally.buckets[at] = (tally.buckets[at] ?? 0) + 1
  tally.seconds += seconds
}

/** A request whose answer is over. */
interface Answered {
  readonly route: MeteredRoute
  readonly request: FastifyRequest
  readonly trace: RequestTrace
  readonly status: number
  readonly durationMs: number
}

function createSpanSender({ clock, sinks, log }: MeasuringOptions) {
  return ({ route, request, trace, status, durationMs }: Answered) => {
    const { traceId, spanId, parentId } = trace.context()
    const span: RequestSpan = {
      method: route.method,
      route: route.route,
      status,
      startedAt: new Date(clock.now().getTime() - durationMs),
      durationMs,
      requestId: request.id,
      traceId,
      spanId,
      ...(parentId !== undefined && { parentId })
    }
    for (const sink of sinks) {
      try {
        sink.end(span)
      } catch (error) {
        log.warn({ err: error }, `a contributor of ${requestSpans.id} threw`)
      }
    }
  }
}

function requestsFamily(tallies: ReadonlyMap<string, Tally>): CustomFamily {
  return {
    name: 'keelson_http_requests_total',
    type: 'counter',
    description: 'Requests by plugin, method, route and class of the status.',
    *lines() {
      for (const { labels, classes } of tallies.values()) {
        for (const [digit, number] of classes.entries()) {
          if (number > 0)
            yield `keelson_http_requests_total{${labels},status="${digit}xx"} ${number}`
        }
      }
    }
  }
}

function durationFamily(tallies: ReadonlyMap<string, Tally>): CustomFamily {
  const name = 'keelson_http_request_duration_seconds'
  return {
    name,
    type: 'histogram',
    description: 'Seconds until the last byte, by plugin, method and route.',
    *lines() {
      for (const { labels, buckets, seconds } of tallies.values()) {
        if (buckets.every((number) => number === 0)) continue
        let below = 0
        for (const [at, number] of buckets.entries()) {
          below += number
          yield `${name}_bucket{${labels},le="${BOUNDS[at] ?? '+Inf'}"} ${below}`
        }
        yield `${name}_sum{${labels}} ${seconds}`
        yield `${name}_count{${labels}} ${below}`
      }
    }
  }
}

const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
