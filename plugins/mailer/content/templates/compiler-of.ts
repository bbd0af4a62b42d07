// The compiler of a mailer: its host's helpers, and threads that all mailers of a process share.
import type { MailerContext } from '../../ledger/context.ts'
import type { Compiler } from './compile-template.ts'
import { type CompileElsewhere, createCompiler } from './compile-thread.ts'
import type { PrepareOptions } from './prepare-template.ts'
import { createSlotEngine, type SlotEngine } from './slot-engine.ts'

const engines = new WeakMap<object, SlotEngine>()
let threads: CompileElsewhere | undefined

/** What templates of a mailer are compiled with. Made once per configuration. */
export function compilerOf({ config }: Pick<MailerContext, 'config'>): Compiler {
  const engine = engines.get(config) ?? createSlotEngine(config.handlebarsHelpers)
  engines.set(config, engine)
  threads ??= createCompiler()
  return { engine, compileElsewhere: threads }
}

/** What versions of a mailer are prepared with. */
export function prepareOptions(context: Pick<MailerContext, 'config'>): PrepareOptions {
  const { publicUrl, senderAddress } = context.config
  const { engine } = compilerOf(context)
  const sender = senderAddress === undefined ? {} : { senderAddress }
  return { engine, ownAddresses: `${publicUrl}/m/`, ...sender }
}
