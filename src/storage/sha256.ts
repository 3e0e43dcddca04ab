import { sha256 as incremental } from '@noble/hashes/sha2.js'

/** Lower-case hex, as the contract's `AudioFile.sha256`. */
export async function sha256(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return hexOf(digest)
}

/** The same of what comes in parts: the browser's own digest wants all of it in memory at once. */
export function sha256OfParts(): { add: (part: ArrayBuffer) => void; hex: () => string } {
  const hash = incremental.create()
  return { add: (part) => void hash.update(new Uint8Array(part)), hex: () => hexOf(hash.digest()) }
}

const hexOf = (digest: Uint8Array) =>
  Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
