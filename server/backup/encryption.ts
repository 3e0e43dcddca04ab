import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { BadBackup, DamagedBackup } from './bad-backup.ts'

const MAGIC = Buffer.from('murmur backup 1\n')
const SALT = 16
const CHECK = 32
const HEAD = MAGIC.length + SALT + CHECK
const CHUNK = 64 * 1024
const TAG = 16
/** 64 MB of memory and a fifth of a second for each guess of a passphrase. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 }

/**
 * AES in GCM mode with a 256-bit key, in chunks. The nonce has the chunk's number and whether it is the last, so that
 * no chunk can be cut or moved.
 */
export async function* encrypt(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT)
  const { key, check } = await keysOf(passphrase, salt)
  yield Buffer.concat([MAGIC, salt, check])
  for await (const { chunk, number, isLast } of chunksOf(source, CHUNK)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonce(number, isLast))
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
}

/** @throws {BadBackup} */
export async function* decrypt(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const [head, rest] = await split(source, HEAD)
  if (!isEncrypted(head) || head.length < HEAD) throw new DamagedBackup()
  const { key, check } = await keysOf(passphrase, head.subarray(MAGIC.length, MAGIC.length + SALT))
  if (!timingSafeEqual(check, head.subarray(HEAD - CHECK)))
    throw new BadBackup('BACKUP_PASSPHRASE is not the passphrase that this backup was made with.')
  for await (const { chunk, number, isLast } of chunksOf(rest, CHUNK + TAG)) {
    if (chunk.length < TAG) throw new DamagedBackup()
    const decipher = createDecipheriv('aes-256-gcm', key, nonce(number, isLast))
    decipher.setAuthTag(chunk.subarray(chunk.length - TAG))
    const plain = decipher.update(chunk.subarray(0, chunk.length - TAG))
    try {
      decipher.final()
    } catch {
      throw new DamagedBackup()
    }
    yield plain
  }
}

export const isEncrypted = (head: Buffer): boolean => head.subarray(0, MAGIC.length).equals(MAGIC)

async function keysOf(passphrase: string, salt: Buffer): Promise<{ key: Buffer; check: Buffer }> {
  const derived = await promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt)(
    passphrase.normalize('NFC'),
    salt,
    64,
    SCRYPT,
  )
  // Distinguishes a wrong passphrase from a damaged file.
  const check = createHmac('sha256', derived.subarray(32)).update(MAGIC).update(salt).digest()
  return { key: derived.subarray(0, 32), check }
}

function nonce(number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUIntBE(number, 5, 6)
  bytes[11] = isLast ? 1 : 0
  return bytes
}

interface Chunk {
  readonly chunk: Buffer
  readonly number: number
  readonly isLast: boolean
}

async function* chunksOf(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Chunk> {
  let number = 0
  let waiting: Buffer[] = []
  let length = 0
  for await (const piece of source) {
    waiting.push(piece)
    length += piece.length
    // More than one chunk is buffered, so the first one is not the last.
    if (length <= size) continue
    let bytes = Buffer.concat(waiting, length)
    while (bytes.length > size) {
      yield { chunk: bytes.subarray(0, size), number, isLast: false }
      number += 1
      bytes = bytes.subarray(size)
    }
    waiting = [bytes]
    length = bytes.length
  }
  yield { chunk: Buffer.concat(waiting, length), number, isLast: true }
}

async function split(
  source: AsyncIterable<Buffer>,
  length: number,
): Promise<[head: Buffer, rest: AsyncIterable<Buffer>]> {
  const pieces = source[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < length) {
    const { value, done } = await pieces.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  async function* rest(): AsyncGenerator<Buffer> {
    yield head.subarray(length)
    yield* { [Symbol.asyncIterator]: () => pieces }
  }
  return [head.subarray(0, length), rest()]
}
