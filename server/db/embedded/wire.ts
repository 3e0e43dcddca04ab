/** Frames of the PostgreSQL wire: a type byte, a length that counts itself, a body. */

/** Larger than any row or batch of ours, small enough that one client cannot fill the memory. */
const LONGEST_FRAME = 256 * 1024 * 1024

/** Cuts a stream into frames without copying a long one more than once. */
export class FrameReader {
  #chunks: Buffer[] = []
  #size = 0
  #needed = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
  }

  /** @param typed false for the first frame of a connection, which has no type byte */
  next(typed = true): Buffer | undefined {
    const lengthAt = typed ? 1 : 0
    if (this.#size < Math.max(this.#needed, lengthAt + 4)) return undefined
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#size)
    const end = bytes.readInt32BE(lengthAt) + lengthAt
    if (end < lengthAt + 4 || end > LONGEST_FRAME) throw new WireError(`a frame of ${end} bytes`)
    const whole = this.#size >= end
    this.#needed = whole ? 0 : end
    this.#chunks = whole ? [bytes.subarray(end)] : [bytes]
    if (!whole) return undefined
    this.#size -= end
    return bytes.subarray(0, end)
  }
}

export class WireError extends Error {}

export const typeOf = (frame: Buffer): string => String.fromCharCode(frame[0]!)

export function frame(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? text(part) : part)))
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** The string that starts at `at`, and where the next field begins. */
export function textAt(frame: Buffer, at: number): { value: string; next: number } {
  const end = frame.indexOf(0, at)
  if (end < 0) throw new WireError('a string without an end')
  return { value: frame.toString('utf8', at, end), next: end + 1 }
}

/** The same frame with `prefix` in front of the string at `at`; an empty (unnamed) one stays empty. */
export function prefixedAt(frame: Buffer, at: number, prefix: string): Buffer {
  if (frame[at] === 0) return frame
  const longer = Buffer.concat([frame.subarray(0, at), Buffer.from(prefix), frame.subarray(at)])
  longer.writeInt32BE(longer.length - 1, 1)
  return longer
}

export const query = (sql: string): Buffer => frame('Q', sql)
export const sync = (): Buffer => frame('S')
export const copyFail = (reason: string): Buffer => frame('f', reason)
export const closeStatement = (name: string): Buffer => frame('C', Buffer.from('S'), name)

export const authentication = (kind: 'ok' | 'cleartext'): Buffer => frame('R', int32(kind === 'ok' ? 0 : 3))
export const parameterStatus = (name: string, value: string): Buffer => frame('S', name, value)
export const backendKey = (processId: number): Buffer => frame('K', int32(processId), int32(0))
export const readyForQuery = (status: string): Buffer => frame('Z', Buffer.from(status))
/** Answers a newer client: minor version 0, no options known. */
export const negotiateVersion = (): Buffer => frame('v', int32(0), int32(0))
export const copyIn = (binary: boolean): Buffer => frame('G', Buffer.from([binary ? 1 : 0, 0, 0]))

export function errorResponse(severity: 'ERROR' | 'FATAL', code: string, message: string): Buffer {
  return frame('E', `S${severity}`, `V${severity}`, `C${code}`, `M${message}`, Buffer.from([0]))
}

/** True for an error after which the backend is gone. */
export function isFatal(frame: Buffer): boolean {
  if (typeOf(frame) !== 'E') return false
  const { value } = textAt(frame, 5)
  return value === 'SFATAL' || value === 'SPANIC'
}

/** The first column of the first row of an answer, as text. */
export function firstValue(answer: Buffer[]): string | undefined {
  const row = answer.find((frame) => typeOf(frame) === 'D')
  return row?.toString('utf8', 11, 11 + Math.max(0, row.readInt32BE(7)))
}

const text = (value: string): Buffer => Buffer.from(`${value}\0`)

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
