// Logs: a child for each plugin, and no secret in any line.
import type { FastifyBaseLogger } from 'fastify'
import { CENSORED, redactDeep } from '../errors/redact.ts'
import { changeLines } from '../fastify-internals/pino-lines.ts'
import type { Secrets } from '../platform/marks.ts'

/** A line of JSON stays JSON, also where a secret is a number or looks like a part of JSON. */
function redactLine(line: string, redact: (text: string) => string): string {
  const text = redact(line)
  if (text === line || isJson(text) || !isJson(line)) return text
  return `${JSON.stringify(redactDeep(JSON.parse(line), redact))}\n`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Lets every line that a pino logger and its children write pass through `redact`. Other loggers are
 * left alone. Returns what undoes it.
 */
export function redactLines(log: FastifyBaseLogger, redact: (text: string) => string): () => void {
  return changeLines(log, (line) => redactLine(line, redact))
}

/** The logger of a plugin. Fields that its config marks secret are struck out wherever they stand. */
export function pluginLog(
  log: FastifyBaseLogger,
  plugin: string,
  secrets: Pick<Secrets, 'fields' | 'values'>
): FastifyBaseLogger {
  if (secrets.fields.length === 0) return log.child({ plugin })
  const paths = secrets.fields
    .map(keyPath)
    .flatMap((field) => [
      field.replace(/^\./, ''),
      ...['*', '*.*', '*.*.*'].map((depth) => `${depth}${field}`)
    ])
  return log.child({ plugin }, { redact: { paths, censor: CENSORED } })
}

const keyPath = (field: string) =>
  /^[A-Za-z_$][\w$]*$/.test(field) ? `.${field}` : `[${JSON.stringify(field)}]`
