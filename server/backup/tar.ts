import { DamagedBackup } from './bad-backup.ts'

/**
 * Entries of a tar file, so that an owner can inspect a backup without Murmur. We have our own implementation because
 * it is pull-based: the next piece is read when the previous one is on disk, and errors are thrown to the consumer
 * (`tar-stream` pushes).
 */
export interface Entry {
  /** At most 100 bytes. */
  readonly name: string
  readonly size: number
  /** Read it before the next entry, or not at all. */
  readonly content: AsyncIterable<Buffer>
}

const BLOCK = 512
const fill = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

export async function* writeTar(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  for await (const { name, size, content } of entries) {
    yield header(name, size)
    let written = 0
    for await (const piece of content) {
      written += piece.length
      yield piece
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes and not ${size}`)
    yield Buffer.alloc(fill(size))
  }
  yield Buffer.alloc(2 * BLOCK)
}

export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const bytes = new Bytes(source)
  for (;;) {
    const block = await bytes.take(BLOCK)
    if (block.every((byte) => byte === 0)) break
    const { name, size } = parse(block)
    const rest = { bytes: size }
    yield { name, size, content: bytes.upTo(rest) }
    for await (const _ of bytes.upTo(rest)) continue
    await bytes.take(fill(size))
  }
  await bytes.take(BLOCK)
  await bytes.toTheEnd()
}

function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a name`)
  const octal = (value: number, at: number, length: number) =>
    block.write(value.toString(8).padStart(length - 1, '0'), at)
  block.write(name, 0)
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  block.write('0', 156)
  block.write('ustar\u000000', 257)
  octal(sumOf(block), 148, 7)
  block.write(' ', 155)
  return block
}

function parse(block: Buffer): { name: string; size: number } {
  const textAt = (from: number, length: number) =>
    block.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  const sum = Number.parseInt(textAt(148, 8), 8)
  if (sum !== sumOf(block)) throw new DamagedBackup()
  return { name: textAt(0, 100), size: Number.parseInt(textAt(124, 12), 8) }
}

/** The checksum of a header: the sum of its bytes, with spaces in place of the checksum itself. */
const sumOf = (block: Buffer): number =>
  block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)

class Bytes {
  readonly #pieces: AsyncIterator<Buffer>
  #piece: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#pieces = source[Symbol.asyncIterator]()
  }

  async take(length: number): Promise<Buffer> {
    const taken: Buffer[] = []
    for await (const piece of this.upTo({ bytes: length })) taken.push(piece)
    return Buffer.concat(taken)
  }

  /** @param rest remaining bytes; counts down, so that another reader can skip what this one leaves */
  async *upTo(rest: { bytes: number }): AsyncGenerator<Buffer> {
    while (rest.bytes > 0) {
      if (this.#piece.length === 0) {
        const { value, done } = await this.#pieces.next()
        if (done) throw new DamagedBackup()
        this.#piece = value
      }
      const part = this.#piece.subarray(0, rest.bytes)
      this.#piece = this.#piece.subarray(part.length)
      rest.bytes -= part.length
      yield part
    }
  }

  async toTheEnd(): Promise<void> {
    while (!(await this.#pieces.next()).done) continue
  }
}
