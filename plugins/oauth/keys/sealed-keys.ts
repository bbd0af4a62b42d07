// Private keys at rest: encrypted under the secret of the configuration.
import { createHash } from 'node:crypto'
import { CompactEncrypt, compactDecrypt, type JWK } from 'jose'

export interface KeySeal {
  /** The private key as an encrypted text, which is only for the key with this id. */
  seal(privateJwk: JWK, kid: string): Promise<string>
  /** Undefined for a text that was sealed under another secret or for another key. */
  open(sealed: string, kid: string): Promise<JWK | undefined>
}

export function createKeySeal(secret: string): KeySeal {
  const key = createHash('sha256').update(`seal\nsigning-key\n${secret}`).digest()
  return {
    seal: (privateJwk, kid) =>
      new CompactEncrypt(new TextEncoder().encode(JSON.stringify(privateJwk)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
        .encrypt(key),
    async open(sealed, kid) {
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(sealed, key)
        if (protectedHeader.kid !== kid) return undefined
        return JSON.parse(new TextDecoder().decode(plaintext)) as JWK
      } catch {
        return undefined
      }
    }
  }
}
