// Unknown addresses: JSON for programs and API addresses, a page for people.
import { prefersHtml } from '@keelson/ui/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answers } from '../http/answers.ts'
import { isAtOrBelow, type KernelAddresses } from '../platform/kernel-addresses.ts'
import { type Documents, isForPrograms } from './documents.ts'

/** Prepares the answer to addresses that are not there. */
export function createNotFound(addresses: KernelAddresses, documents: Documents) {
  const { shell, health, metrics, embed, assets, nav, modules } = addresses
  const forPrograms = [health, metrics, embed, assets, nav, modules].filter(
    (each) => each !== undefined
  )
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] ?? request.url
    const isOfProgram = isForPrograms(path) || forPrograms.some((base) => isAtOrBelow(path, base))
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isPerson = isRead && !isOfProgram && prefersHtml(request.headers.accept)
    if (isPerson && shell !== undefined) return documents.notFound(reply)
    return answers.notFound(reply)
  }
}
