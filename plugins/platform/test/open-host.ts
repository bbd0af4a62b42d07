// The plugin on a running host with two other plugins, of which one needs the other.
import { definePlugin, Type } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import type { Test } from 'tap'
import platform from '../index.ts'

const manifest = (id: string, more: object = {}) => ({
  manifestVersion: 1 as const,
  id,
  name: id.toUpperCase(),
  version: '1.0.0',
  kernel: '^1.0.0',
  description: `The ${id}.`,
  license: 'MIT',
  ...more
})

const words = definePlugin({
  manifest: manifest('words', {
    network: ['words.example'],
    routes: [{ method: 'GET', path: '/ping', auth: 'public', summary: 'Answers' }]
  }),
  config: Type.Object({
    size: Type.Integer({ default: 3, minimum: 1, maximum: 9 }),
    title: Type.String({ default: '', maxLength: 40 }),
    token: Type.Optional(Type.String({ secret: true }))
  }),
  register(host, config) {
    host.route({ method: 'GET', path: '/ping', handler: async () => config })
  }
})
const reader = definePlugin({
  manifest: manifest('reader', { requires: { words: '*' } }),
  register() {}
})

const boss = { tenantId: '*', role: 'admin', viewerRef: 'user:boss', email: 'boss@acme.test' }

/** Signed in as the administrator of the platform. */
export async function openHost(t: Test) {
  const host = await createTestHost({
    plugin: platform,
    plugins: [words, reader],
    platform: { plugins: { words: { config: { token: 'not-to-be-seen' } } } },
    viewer: boss
  })
  t.teardown(() => host.close())
  const call = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const headers = { origin: 'http://localhost', host: 'localhost' }
    const url = `/platform/api${path}`
    const reply = await host.app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: reply.statusCode, json: reply.json(), text: reply.payload }
  }
  return { ...host, call }
}
