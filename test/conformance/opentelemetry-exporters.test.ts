// Unmodified OpenTelemetry exporters, JSON and protobuf, against ingest.

import { definePlugin } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import telemetry, { type Telemetry, telemetryHandle } from '@keelson/telemetry'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { test } from 'tap'

/** Hands the telemetry store to the test. */
function grabStore(): { plugin: ReturnType<typeof definePlugin>; store: () => Telemetry } {
  let store: Telemetry | undefined
  const plugin = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'grab',
      name: 'Grab',
      version: '1.0.0',
      kernel: '^1.0.0',
      description: 'Hands the store to a test.',
      license: 'MIT',
      requires: { telemetry: '*' },
      uses: ['telemetry.store/v1']
    },
    register(host) {
      store = host.use(telemetryHandle)
    }
  })
  return {
    plugin,
    store: () => {
      if (store === undefined) throw new Error('the store is not there yet')
      return store
    }
  }
}

const exporters = { JSON: JsonExporter, protobuf: ProtobufExporter }

for (const [encoding, Exporter] of Object.entries(exporters)) {
  test(`spans of the unmodified exporter for ${encoding} are stored`, async (t) => {
    const { plugin, store } = grabStore()
    const host = await createTestHost({ plugin, plugins: [telemetry] })
    t.teardown(() => host.close())
    const address = await host.app.listen({ host: '127.0.0.1', port: 0 })
    const { key } = await store().createKey({
      label: 'otel',
      kind: 'secret',
      tenantMode: 'fixed',
      tenantId: 'acme',
      service: 'exporter',
      env: 'dev'
    })
    const exporter = new Exporter({
      url: `${address}/ingest/v1/traces`,
      headers: { authorization: `Bearer ${key}` }
    })
    const provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'exporter-test' }),
      spanProcessors: [new SimpleSpanProcessor(exporter)]
    })
    const span = provider.getTracer('test').startSpan('checkout', {
      kind: SpanKind.SERVER,
      attributes: { 'http.route': '/checkout', attempt: 2 }
    })
    span.recordException(new TypeError('no basket'))
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    await provider.forceFlush()
    await provider.shutdown()
    await store().flush()
    const rows = await store().scoped('acme').find({ traceId: span.spanContext().traceId })
    t.same(rows.map(({ name }) => name).sort(), ['otlp.exception', 'otlp.span'])
    const stored = rows.find(({ name }) => name === 'otlp.span')
    t.equal(stored?.['spanId'], span.spanContext().spanId)
    t.equal(stored?.['severity'], 'error')
  })
}
