// A manifest with everything that identifies a plugin, for tests that need one more key.
import type { Manifest } from '@keelson/sdk'

/** `more` adds or replaces keys; it is not checked, because many tests give something wrong. */
export function sampleManifest(
  id: string,
  more: Readonly<Record<string, unknown>> = {}
): Manifest & Record<string, unknown> {
  return {
    manifestVersion: 1,
    id,
    name: `Sample ${id}`,
    version: '1.0.0',
    kernel: '*',
    description: 'A sample.',
    license: 'MIT',
    ...more
  }
}

export const sampleRoute = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD',
  path: string,
  more: Readonly<Record<string, unknown>> = {}
) => ({ method, path, auth: 'public' as const, summary: `${method} ${path}`, ...more })
