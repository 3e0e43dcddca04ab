const RATE = 8_000
const HEADER_BYTES = 44

let address: string | undefined

/** A second of silence as a file, made here: it has to be at hand without a network. */
export function silence(): string {
  return (address ??= URL.createObjectURL(new Blob([waveFile()], { type: 'audio/wav' })))
}

function waveFile(): ArrayBuffer {
  const file = new ArrayBuffer(HEADER_BYTES + RATE)
  const view = new DataView(file)
  const word = (at: number, letters: string) =>
    Array.from(letters).forEach((letter, index) => view.setUint8(at + index, letter.codePointAt(0)!))
  word(0, 'RIFF')
  view.setUint32(4, HEADER_BYTES - 8 + RATE, true)
  word(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  // Plain samples, one channel, a byte each.
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, RATE, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  word(36, 'data')
  view.setUint32(40, RATE, true)
  // The middle of a byte is no sound.
  new Uint8Array(file, HEADER_BYTES).fill(128)
  return file
}
