// Unmodified OpenTelemetry log exporters, JSON and protobuf, gzip or not, against ingest.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { createIngest, createTelemetry } from '@keelson/telemetry'
import { context, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import Fastify from 'fastify'
import { MongoClient } from 'mongodb'
import { type Test, test } from 'tap'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
// Severity numbers of the logs data model.
const WARN = 13
const FATAL = 21
const SPAN = 'b7ad6b7169203331'

async function openIngest(t: Test) {
  const dataDir = await mkdtemp(join(tmpdir(), 'otel-logs-'))
  const engine = await startLocalMongo({ dataDir })
  const client = await new MongoClient(engine.uri).connect()
  const telemetry = createTelemetry({ registry: {}, connection: client.db('otel') })
  const app = Fastify()
  await app.register(createIngest({ telemetry }), { prefix: '/ingest' })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    await app.close()
    await telemetry.close()
    await client.close()
    await engine.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const { key } = await telemetry.createKey({
    kind: 'secret',
    tenantMode: 'fixed',
    tenantId: 'acme',
    service: 'exporter',
    env: 'dev'
  })
  return {
    telemetry,
    url: `${address}/ingest/v1/logs`,
    headers: { authorization: `Bearer ${key}` }
  }
}

for (const compression of ['none', 'gzip']) {
  for (const [encoding, Exporter] of Object.entries({
    JSON: JsonExporter,
    protobuf: ProtobufExporter
  })) {
    test(`logs of the unmodified exporter for ${encoding}, compression ${compression}, are stored`, async (t) => {
      const { telemetry, url, headers } = await openIngest(t)
      // How deployments switch it on.
      process.env['OTEL_EXPORTER_OTLP_COMPRESSION'] = compression
      const exporter = new Exporter({ url, headers })
      const provider = new LoggerProvider({
        resource: resourceFromAttributes({
          'service.name': 'checkout',
          'service.version': '1.2.3'
        }),
        processors: [new BatchLogRecordProcessor({ exporter })]
      })
      const logger = provider.getLogger('test', '1.0.0')
      const inSpan = trace.setSpanContext(context.active(), {
        traceId: TRACE,
        spanId: SPAN,
        traceFlags: TraceFlags.SAMPLED
      })
      logger.emit({
        severityNumber: WARN,
        body: 'the basket is old',
        attributes: { 'basket.age': 12, tags: ['a', 'b'] },
        context: inSpan
      })
      logger.emit({ severityNumber: FATAL, body: { code: 7, parts: ['x', null] } })
      await provider.forceFlush()
      await provider.shutdown()
      await telemetry.flush()
      const rows = await telemetry.scoped('acme').find()
      t.equal(rows.length, 2)
      const warned = rows.find((row) => row['severity'] === 'warn')
      t.match(warned, {
        name: 'otlp.log',
        service: 'checkout',
        release: '1.2.3',
        traceId: TRACE,
        spanId: SPAN,
        body: 'the basket is old'
      })
      t.match(JSON.stringify(warned), '12')
      const fatal = rows.find((row) => row['severity'] === 'fatal')
      t.match(fatal?.['body'], /"code":7/)
    })
  }
}
