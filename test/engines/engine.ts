// A browser engine as tests drive it: one window that goes to addresses and runs scripts.
import { accessSync, constants } from 'node:fs'

/** What a window of an engine does. */
export interface EngineWindow {
  /** Resolves once the document is loaded. */
  goto(url: string): Promise<void>
  /** Runs the body of an async function in the page; it returns what JSON can hold. */
  run(body: string): Promise<unknown>
}

/** Closes what a test has opened. */
export interface Teardown {
  teardown(fn: () => Promise<void> | void): void
}

/** An engine, or why it is not here. */
export interface Engine {
  readonly name: string
  readonly skip?: string
  open(t: Teardown): Promise<EngineWindow>
}

/** The first of the files that can be run. */
export function findProgram(files: readonly string[]): string | undefined {
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
