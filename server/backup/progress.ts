export interface Progress {
  begin(what: string): void
  at(what: string, count: number): void
  bytes(what: string, done: number, all: number): void
  end(): void
}

export const silently: Progress = { begin() {}, at() {}, bytes() {}, end() {} }

export function progressOn(stream: NodeJS.WriteStream): Progress {
  const everyMs = stream.isTTY ? 200 : 30_000
  let shownAt = performance.now()
  const show = (text: string, isFirst = false) => {
    const now = performance.now()
    if (!isFirst && now - shownAt < everyMs) return
    shownAt = now
    stream.write(stream.isTTY ? `\r\u001B[K${text} …` : `${text} …\n`)
  }
  return {
    begin: (what) => show(what, true),
    at: (what, count) => show(`${what}: ${count.toLocaleString('en-GB')}`),
    bytes: (what, done, all) => show(`${what}: ${sizeInWords(done)} of ${sizeInWords(all)}`),
    end: () => void (stream.isTTY && stream.write('\r\u001B[K')),
  }
}

export function sizeInWords(bytes: number): string {
  if (bytes < 1e6) return `${counted(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${counted(bytes / 1e6)} MB` : `${counted(bytes / 1e9)} GB`
}

const counted = (size: number): string => size.toLocaleString('en-GB', { maximumFractionDigits: 1 })
