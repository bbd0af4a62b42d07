// What keelson dev prints when a host does not start: the sentence, what to do, the author's own lines. Pure.
import { KeelsonError } from '@keelson/sdk'

/** What the remedy depends on. */
export interface FailurePlace {
  /** The plugin in development; undefined for a platform. */
  readonly plugin: string | undefined
  /** The config file, or the one that may be written. */
  readonly configFile: string
}

export interface DevFailure {
  readonly code: string
  readonly text: string
}

const MAX_FRAMES = 8

/** One error becomes its sentence and remedy, several become a list; an exception also says where it was thrown. */
export function describeFailure(error: unknown, place: FailurePlace): DevFailure {
  const taken = portText(error)
  if (taken !== undefined) return { code: 'EADDRINUSE', text: taken }
  if (!KeelsonError.is(error))
    return { code: 'KRN_FAILED', text: withFrames(messageOf(error), error) }
  const problems = problemsOf(error)
  const text = problems.map((problem) => sentenceOf(problem, place)).join('\n')
  return { code: error.code, text: withFrames(text, error.cause) }
}

function problemsOf(error: KeelsonError): readonly KeelsonError[] {
  const { problems } = error.details
  return Array.isArray(problems) ? problems : [error]
}

function sentenceOf(problem: KeelsonError, { plugin, configFile }: FailurePlace): string {
  const { code, message, remedy, details } = problem
  if (code !== 'KRN_PLUGIN_CONFIG_INVALID') return message
  const sentence = message.slice(0, message.length - remedy.length).trimEnd()
  const path = String(details['path'])
  const prefix = `plugins.${plugin}.config.`
  const isOwn = plugin !== undefined && path.startsWith(prefix)
  const flag = isOwn ? `, or start with --set ${path.slice(prefix.length)}=VALUE` : ''
  return `${sentence} Set ${path} in ${configFile}${flag}.`
}

function withFrames(text: string, cause: unknown): string {
  if (!(cause instanceof Error) || KeelsonError.is(cause)) return text
  const frames = (cause.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !/node_modules|\bnode:/.test(line))
  return [text, ...frames.slice(0, MAX_FRAMES)].join('\n')
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)

/** The sentence for a port that another program uses; a stack would not help. */
function portText(error: unknown): string | undefined {
  const { code, port } = (error ?? {}) as { readonly code?: unknown; readonly port?: unknown }
  if (code !== 'EADDRINUSE') return undefined
  return `Port ${port} is in use. Stop what uses it, or choose another one with PORT.`
}
