// Serializers of answers, one for each schema of the process: routes share schemas, and so do hosts.
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { atFirstUse, operationOf } from '@keelson/sdk'
import type { FastifyInstance, RouteOptions } from 'fastify'

type Serializer = ReturnType<NonNullable<RouteOptions['serializerCompiler']>>

const made = new WeakMap<object, Serializer>()

/**
 * Fastify compiles a serializer for each status of each route, the HEAD of a GET apart; here those with the same
 * schema are one. A compiler that the route or its scope has already stays. The serializers of operations, whose schemas
 * are TypeBox's, are compiled when they first answer: most routes of a process are never called. A schema written by
 * hand is compiled at once, so that its faults end the start.
 */
export function shareSerializers(app: FastifyInstance, route: RouteOptions): void {
  const isOwn = route.serializerCompiler !== undefined || app.serializerCompiler !== undefined
  if (isOwn || route.schema?.response === undefined) return
  const isTyped = operationOf(route.config) !== undefined
  route.serializerCompiler = ({ schema }) =>
    isTyped ? deferred(app, schema as object) : serializerOf(app, schema as object)
}

function deferred(app: FastifyInstance, schema: object): Serializer {
  const serializer = atFirstUse(() => serializerOf(app, schema))
  return (data) => serializer()(data)
}

function serializerOf(app: FastifyInstance, schema: object): Serializer {
  const others = app.getSchemas()
  // It may refer to schemas that only this scope has.
  if (Object.keys(others).length > 0) return compile(schema, others)
  const known = made.get(schema)
  if (known !== undefined) return known
  const serializer = compile(schema, {})
  made.set(schema, serializer)
  return serializer
}

const compile = (schema: object, others: object): Serializer =>
  SerializerSelector()(others)({ schema, method: '', url: '', httpStatus: '' })
